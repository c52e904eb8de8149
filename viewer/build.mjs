// node build.mjs PAGE: bundles src/ into one page without outside references; `trunnion view` puts the data into it.
import { readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const page = process.argv[2] ?? "viewer.html";
const bundle = async (entry) => {
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2022",
    legalComments: "inline",
    charset: "utf8",
  });
  return result.outputFiles[0].text;
};

const [script, style] = await Promise.all([bundle("src/main.ts"), bundle("src/style.css")]);
const html = readFileSync("src/page.html", "utf8")
  .replace("/*STYLE*/", () => style)
  .replace("/*SCRIPT*/", () => script);
writeFileSync(page, html);
