// node bench/page.mjs PAGE: milliseconds of script per frame while a page of `trunnion view` plays, in headless Chromium.
// The page to ask about is one of 200 bodies and 2,000 frames (bench/page.sh makes it); 16.7 ms is all a frame may take.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const puppeteer = createRequire(new URL("../viewer/package.json", import.meta.url))("puppeteer-core");
const browser = await puppeteer.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  protocolTimeout: 240000,
});
const page = await browser.newPage();
await page.setViewport({ width: 1360, height: 860 });
await page.evaluateOnNewDocument(() => {
  window.spent = [];
  const next = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (act) => next((stamp) => {
    const begin = performance.now();
    act(stamp);
    window.spent.push(performance.now() - begin);
  });
});
await page.goto(pathToFileURL(process.argv[2]).href, { timeout: 200000 });
await page.waitForFunction(() => document.getElementById("clock").textContent !== "", { timeout: 200000 });
await page.click("#play");
await page.evaluate(() => (window.spent.length = 0));
await new Promise((done) => setTimeout(done, 10000));
const spent = (await page.evaluate(() => window.spent)).sort((a, b) => a - b);
const at = (share) => spent[Math.floor(share * (spent.length - 1))].toFixed(2);
console.log(`${spent.length} frames; script per frame: least ${at(0)}, median ${at(0.5)}, nine of ten below ${at(0.9)} ms`);
await browser.close();
