// node tests/browser.mjs PAGE [PICTURE] [modes|symbols|beams|flexible|contacts]: opens a page of `trunnion view` from file:// in Debian's Chromium, plays, scrubs,
// picks a channel, zooms, exports, and looks at what is there. `modes`: the run has modes and must show them; else it must not.
// `symbols`: the page is the boom of browser.sh; `beams`, `flexible`, `contacts`: what its models of these names must show, and no more.
// Exit code 77: no browser here (skipped).
import { existsSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import assert from "node:assert/strict";

const [page_path, picture, special] = process.argv.slice(2);
const browser_path = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
let puppeteer;
try {
  puppeteer = createRequire(new URL("../viewer/package.json", import.meta.url))("puppeteer-core");
} catch {
  console.log("skipped: puppeteer-core is not there (npm ci in viewer/)");
  process.exit(77);
}
if (!browser_path) {
  console.log("skipped: no Chromium (apt-get install chromium)");
  process.exit(77);
}

const browser = await puppeteer.launch({
  executablePath: browser_path,
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  protocolTimeout: 60000,
});
const errors = [], requests = [];
try {
  const page = await browser.newPage();
  await page.setViewport({ width: 1360, height: 860 });
  page.on("console", (message) => { if (message.type() === "error") errors.push(message.text()); });
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("request", (request) => { if (!/^(file|data|blob):/.test(request.url())) requests.push(request.url()); });
  await page.goto(pathToFileURL(page_path).href);
  await page.waitForFunction(() => document.getElementById("clock").textContent !== "");
  const clock = () => page.$eval("#clock", (e) => parseFloat(e.textContent));
  const begin = await clock();

  // How much of the canvas is not background.
  const painted = () => page.$eval("#canvas", (canvas) => {
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const context = copy.getContext("2d");
    context.drawImage(canvas, 0, 0);
    const data = context.getImageData(0, 0, copy.width, copy.height).data;
    let count = 0;
    for (let k = 3; k < data.length; k += 4) count += data[k] > 200;
    return count / (data.length / 4);
  });
  assert((await painted()) > 0.002, "something is drawn in the 3-D view");

  // What the run warned of and what the page leaves out is said over the picture, and can be put away.
  const banner = await page.$eval("#banner", (e) => (e.hidden ? "" : e.textContent));
  const deforms = ["beams", "flexible", "contacts"].includes(special);
  if (!deforms) assert.equal(banner !== "", special === "symbols", `a banner where there is something to say: ${banner}`);
  if (special === "symbols") {
    assert.match(banner, /1 warning, 1 note/);
    assert.match(banner, /CONTACT/, "the statement that was left out");
    await page.click("#banner-more");
    assert.match(await page.$eval("#report", (e) => (e.hidden ? "" : e.textContent)), /40 of its 100000 coils are drawn/);
    await page.click('[data-tab="model"]');
    await page.click("#banner-close");
    assert.equal(await page.$eval("#banner", (e) => e.checkVisibility()), false, "the banner can be closed");
  }

  await page.click("#play");
  for (const until = Date.now() + 15000; (await clock()) <= begin && Date.now() < until;)
    await new Promise((done) => setTimeout(done, 100));
  await page.click("#play");
  const played = await clock();
  assert(played > begin, `playing moves the time (${begin} → ${played})`);

  // Waits for a canvas to look different; a slow machine may take its time.
  const changes = async (selector, act, what) => {
    await page.evaluate((s) => (window.before = document.querySelector(s).toDataURL()), selector);
    await act();
    await page.waitForFunction((s) => document.querySelector(s).toDataURL() !== window.before, { timeout: 10000 }, selector)
      .catch(() => assert.fail(what));
  };
  const scrub_to = (part) => page.$eval("#scrub", (e, p) => {
    e.value = String(Number(e.min) + p * (Number(e.max) - Number(e.min)));
    e.dispatchEvent(new Event("input"));
  }, part);
  await changes("#canvas", () => scrub_to(0.72), "scrubbing moves the mechanism");
  assert.equal(await page.$eval("#legend", (e) => e.checkVisibility()), deforms, "a legend where there are colours or arrows");
  // How many hues there are in what is drawn, but grey and pale ones.
  const colourful = () => page.$eval("#canvas", (canvas) => {
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const context = copy.getContext("2d");
    context.drawImage(canvas, 0, 0);
    const data = context.getImageData(0, 0, copy.width, copy.height).data, hues = new Array(24).fill(0);
    for (let k = 0; k < data.length; k += 4) {
      const [r, g, b] = [data[k], data[k + 1], data[k + 2]], high = Math.max(r, g, b), low = Math.min(r, g, b);
      if (data[k + 3] < 200 || high - low < 60) continue;
      const hue = high === r ? (g - b) / (high - low) : high === g ? 2 + (b - r) / (high - low) : 4 + (r - g) / (high - low);
      ++hues[Math.floor(((hue + 6) % 6) * 4) % 24];
    }
    return hues.filter((pixels) => pixels > 30).length; // edges mix a few
  });
  const choose = (selector, value) => page.$eval(selector, (e, v) => { e.value = v; e.dispatchEvent(new Event("change")); }, value);
  const text = (selector) => page.$eval(selector, (e) => (e.checkVisibility() ? e.textContent : ""));
  if (special === "beams") {
    // A chooser with every section quantity, a scale with the unit, colours that tell along the beam.
    const options = await page.$$eval("#beam-colour option", (list) => list.map((e) => e.value));
    assert.deepEqual(options, ["", "FX", "FY", "FZ", "TX", "TY", "TZ", "EX", "EY", "EZ", "KX", "KY", "KZ"]);
    assert.match(await text("#beam-scale"), /newton\*meter/, "the moment that changes most is shown first, with its unit");
    await scrub_to(0.5); // bent most
    await page.waitForFunction(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true)))));
    const with_colours = await colourful();
    if (picture) await page.screenshot({ path: picture });
    await changes("#canvas", () => choose("#beam-colour", "EX"), "another quantity, other colours");
    assert.doesNotMatch(await text("#beam-scale"), /newton/);
    await changes("#canvas", () => choose("#beam-colour", ""), "beams can be plain");
    assert.equal(await text("#beam-scale"), "");
    const plain = await colourful();
    assert(with_colours >= plain + 2, `a beam has many colours (${plain} → ${with_colours} hues)`);
    await choose("#beam-colour", "TY");
    // Over the whole run, not at this time: the ends of the scale are those of the channels.
    const [low, high] = await page.evaluate(() => {
      const numbers = [...document.querySelectorAll("#beam-scale .numbers span")].map((e) => parseFloat(e.textContent));
      return [numbers[0], numbers[2]];
    });
    await scrub_to(0.1);
    assert.deepEqual(await page.$$eval("#beam-scale .numbers span", (list) => [parseFloat(list[0].textContent), parseFloat(list[2].textContent)]), [low, high]);
    assert(high > low, "a range");
    assert.match((await text("#model")), /Beams \(2\)/, "beams are in the tree, their nodes are not");
    assert.doesNotMatch(await text("#model"), /node 1_1/);
    await scrub_to(0.72);
  }
  if (special === "flexible") {
    assert.match(await text("#stress-scale"), /newton\/meter\^2/, "stress with its unit");
    assert.match(await text("#hottest"), /now: node \d+, /);
    assert.match(await text("#hottest-of-run"), /hottest drawn node of the run: \d+, .* at .* second/);
    const with_colours = await colourful();
    if (picture) await page.screenshot({ path: picture });
    await changes("#canvas", () => choose("#flex-colour", ""), "a flexible body can be plain");
    assert((await colourful()) < with_colours, "stresses have colours");
    await choose("#flex-colour", "stress");
    await changes("#canvas", () => page.$eval("#deformation", (e) => { e.value = "2"; e.dispatchEvent(new Event("input")); }), "the deformation can be exaggerated");
    assert.equal(await text("#deformation-value"), "×100");
    await changes("#canvas", () => page.$eval("#stress-top", (e) => { e.value = "-1"; e.dispatchEvent(new Event("input")); }), "the scale of stresses can be lowered");
    assert.equal(await text("#stress-top-value"), "10 %");
    if (picture) await page.screenshot({ path: picture.replace(".png", "-exaggerated.png") });
    for (const id of ["deformation", "stress-top"]) await page.$eval(`#${id}`, (e) => { e.value = "0"; e.dispatchEvent(new Event("input")); });
    // At the hottest time the hottest node is that of the run.
    const of_run = (await text("#hottest-of-run")).match(/run: (\d+), ([^,]+)/);
    await page.click("#hottest-of-run");
    await page.waitForFunction((node) => document.getElementById("hottest").textContent.includes(`node ${node},`), { timeout: 5000 }, of_run[1])
      .catch(() => assert.fail("the button goes to the hottest spot"));
    await scrub_to(0.72);
  }
  if (special === "contacts") {
    assert.match(await text("#chips"), /PART\/2/, "what moves is plotted at once, though the first request has no numbers");
    assert.match(await text("#contact-scale"), /contact: .* newton/);
    assert.equal(await page.$eval("#touches", (e) => e.checkVisibility() && /\d+ touches of 3 CONTACTs/.test(e.title)), true, "touches are marked on the bar of time");
    await scrub_to(0.95);
    if (picture) await page.screenshot({ path: picture });
    await changes("#canvas", () => page.$eval("#show-contacts", (e) => e.click()), "arrows of contacts can be hidden");
    assert.equal(await text("#contact-scale"), "");
    await changes("#canvas", () => page.$eval("#show-contacts", (e) => e.click()), "and shown again");
    await scrub_to(0.72);
  } else {
    assert.equal(await page.$eval("#contacts-switch", (e) => e.checkVisibility()), false, "no switch for contacts where there are none");
  }

  // Over the picture the pointer finds a body by name; a click highlights it there and in the tree, another ends that.
  const canvas = await (await page.$("#canvas")).boundingBox();
  const under_pointer = async (wanted) => {
    for (let y = 0.2; y < 0.9; y += 0.05) {
      for (let x = 0.15; x < 0.85; x += 0.03) {
        const at = [canvas.x + canvas.width * x, canvas.y + canvas.height * y];
        await page.mouse.move(...at);
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
        const name = await page.$eval("#hover", (e) => (e.hidden ? "" : e.textContent));
        if (wanted.test(name)) return { at, name };
      }
    }
  };
  if (special === "beams") assert(await under_pointer(/^FE_PART\/2.* between nodes .*: TY = .* newton\*meter/), "a beam is named under the pointer, with the value");
  if (special === "flexible") assert(await under_pointer(/^FLEX_BODY\/2.*, node \d+: .* newton\/meter\^2/), "a node is named under the pointer, with its stress");
  const found = await under_pointer(/^(PART|POINT_MASS)\//);
  assert(found, "a body is named under the pointer");
  if (special === "symbols") {
    // Beams are rods, springs are coils, whatever the unit of length: seen, named, and neither giant nor a speck.
    assert(await under_pointer(/^BEAM\//), "a beam is named under the pointer");
    assert(await under_pointer(/^SPRINGDAMPER\/1/), "a spring is named under the pointer");
    const share = await painted();
    await changes("#canvas", () => page.$eval("#show-symbols", (e) => e.click()), "symbols can be hidden");
    const without = await painted();
    assert(share - without > 0.004 && share < 0.2, `symbols take a sensible part of the picture (${without} → ${share})`);
    await changes("#canvas", () => page.$eval("#show-symbols", (e) => e.click()), "and shown again");
  }
  await changes("#canvas", () => page.mouse.click(...found.at), "a click on a body highlights it");
  assert.equal(await page.$eval("#model .row.on", (e) => e.textContent), found.name, "and its row in the tree");
  await changes("#canvas", () => page.mouse.click(...found.at), "another click ends that");
  // Where a solid hides the others, markers alone are seen.
  const seen = /Four-bar/.test(await page.title()) ? ["joints", "markers", "trails"] : ["markers"];
  for (const what of seen)
    await changes("#canvas", () => page.$eval(`#show-${what}`, (e) => e.click()), `${what} can be shown and hidden`);
  for (const what of seen) await page.$eval(`#show-${what}`, (e) => e.click());
  await changes("#canvas", async () => {
    await page.mouse.move(canvas.x + 40, canvas.y + canvas.height - 40);
    await page.mouse.down();
    await page.mouse.move(canvas.x + 160, canvas.y + canvas.height - 60, { steps: 4 });
    await page.mouse.up();
  }, "dragging turns the camera");
  await page.click("#fit");
  await page.mouse.move(canvas.x + 5, canvas.y + 5);

  // A narrower window shows all of it still: nothing reaches the sides.
  const at_sides = () => page.$eval("#canvas", (canvas) => {
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const context = copy.getContext("2d");
    context.drawImage(canvas, 0, 0);
    const data = context.getImageData(0, 0, copy.width, copy.height).data;
    let count = 0;
    for (let y = 0; y < copy.height; ++y)
      for (const x of [0, 1, copy.width - 2, copy.width - 1]) count += data[4 * (y * copy.width + x) + 3] > 200;
    return count;
  });
  const canvas_width = () => page.$eval("#canvas", (e) => e.clientWidth);
  const wide = await canvas_width(), sides = await at_sides();
  const resize_to = async (width, height) => {
    const before = await canvas_width();
    await page.setViewport({ width, height });
    await page.waitForFunction((w) => document.getElementById("canvas").clientWidth !== w, { timeout: 10000 }, before);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true)))));
  };
  await resize_to(420, 1400);
  assert((await canvas_width()) <= 420, "the page is no wider than its window");
  assert((await at_sides()) <= sides, "the whole mechanism is in a narrower picture");
  assert((await painted()) > 0.002, "and something is");
  await resize_to(1360, 860);

  if (picture && !deforms) {
    await page.$eval("#show-trails", (e) => e.click());
    await new Promise((done) => setTimeout(done, 400));
    await page.screenshot({ path: picture });
  }

  await page.click('[data-tab="channels"]');
  await page.type("#search", "part/3 ");
  const rows = await page.$$eval("#channel-list .row", (list) => list.map((e) => e.dataset.channel));
  assert(rows.length > 0 && rows.every((name) => name.startsWith("PART/3")), "the search narrows the list");
  for (const name of ["PART/3.Y", "PART/3.Z", "PART/3.VZ", "PART/3.VY"]) await page.click(`[data-channel="${name}"]`);
  await page.waitForSelector("#plot canvas");
  const plot = await page.$("#plot .u-over");
  const box = await plot.boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  const clicked = await clock();
  const ends = await page.$eval("#scrub", (e) => [Number(e.min), Number(e.max)]);
  assert(Math.abs(clicked - (ends[0] + ends[1]) / 2) < 0.05 * (ends[1] - ends[0]), "a click in the plot sets the time");

  const told = await page.$eval(".chip .value", (e) => Number(e.textContent));
  assert(Number.isFinite(told), "the value at the time is beside the name");

  // Space plays whatever has the focus, and leaves a checkbox as it is; Enter changes that.
  await page.focus("#show-joints");
  const checked = () => page.$eval("#show-joints", (e) => e.checked);
  const was_checked = await checked(), playing = () => page.$eval("#play", (e) => e.textContent);
  await page.keyboard.press("Space");
  assert.equal(await playing(), "❚❚", "space plays");
  assert.equal(await checked(), was_checked, "space leaves the checkbox alone");
  await page.focus('[data-tab="channels"]');
  await page.keyboard.press("Space");
  assert.equal(await playing(), "▶", "and pauses, from a button too");
  await page.focus("#show-joints");
  await page.keyboard.press("Enter");
  assert.equal(await checked(), !was_checked, "enter changes the checkbox");
  await page.keyboard.press("Enter");

  // Zoom by dragging changes what is drawn; the exports say what is plotted.
  await changes("#plot canvas", async () => {
    await page.mouse.move(box.x + box.width * 0.3, box.y + 30);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + 40, { steps: 5 });
    await page.mouse.up();
  }, "dragging zooms");
  await page.evaluate(() => {
    window.saved = [];
    HTMLAnchorElement.prototype.click = function () { window.saved.push([this.download, this.href.slice(0, 15)]); };
  });
  for (const id of ["#save-plot", "#save-csv", "#save-picture"]) await page.click(id);
  assert.deepEqual((await page.evaluate(() => window.saved)).map(([name]) => name), ["plot.png", "plot.csv", "mechanism.png"]);
  // A second run: in the page from the start, or opened as CSV.
  const second = `${page_path}.second.csv`;
  writeFileSync(second, `time [second],PART/3.VZ [meter/second],PART/3.VY [meter/second]\n${ends[0]},-1,1\n${ends[1]},1,-1\n`);
  await changes("#plot canvas", async () => (await page.$("#add-run")).uploadFile(second), "an overlay is drawn");
  const has_modes = ["modes", "beams", "flexible"].includes(special);
  // Where the run has modes: one is chosen and moves the mechanism, the time stands still; scrubbing goes back.
  assert.equal(await page.$eval("#modes-tab", (e) => !e.hidden), has_modes, "a tab of modes where there are modes");
  if (has_modes) {
    await page.click("#modes-tab");
    assert(await page.$eval("#modes", (e) => / Hz/.test(e.textContent) && /% damped/.test(e.textContent)), "modes with frequency and damping");
    const before = await clock();
    await changes("#canvas", () => page.click("#modes .row"), "a mode moves the mechanism");
    if (special === "flexible") assert.match(await text("#stress-scale"), /of the mode's largest/);
    if (special === "beams") assert.match(await text("#legend"), /modes have no section forces/);
    await changes("#canvas", async () => {}, "and goes on moving it");
    assert.equal(await clock(), before);
    if (picture) await page.screenshot({ path: picture.replace(".png", "-mode.png") });
    const amplitude = (value) => page.$eval("#mode-amplitude", (e, v) => { e.value = v; e.dispatchEvent(new Event("input")); }, value);
    await amplitude("0");
    // The picture stays as it is over frames that were drawn, however long each takes; not over a time in which none may have been.
    await page.waitForFunction(() => {
      const before = window.last_picture;
      window.last_picture = document.querySelector("#canvas").toDataURL();
      window.same_frames = before === window.last_picture ? (window.same_frames ?? 0) + 1 : 0;
      return window.same_frames >= 5;
    }, { timeout: 20000, polling: "raf" }).catch(() => assert.fail("at amplitude 0 nothing moves"));
    // A large amplitude takes the bodies away from there: a good part of what is drawn is drawn elsewhere.
    await page.$eval("#canvas", (canvas) => {
      window.pixels = () => {
        const copy = document.createElement("canvas");
        [copy.width, copy.height] = [canvas.width, canvas.height];
        const context = copy.getContext("2d");
        context.drawImage(canvas, 0, 0);
        return context.getImageData(0, 0, copy.width, copy.height).data;
      };
      window.still = window.pixels();
    });
    await amplitude("4");
    const kMoved = 0.2;
    await page.waitForFunction((least) => {
      const now = window.pixels(), then = window.still;
      let drawn = 0, other = 0;
      for (let k = 0; k < now.length; k += 4) {
        drawn += then[k + 3] > 200;
        other += now[k] !== then[k] || now[k + 1] !== then[k + 1] || now[k + 3] !== then[k + 3];
      }
      return other > least * drawn;
    }, { timeout: 10000 }, kMoved).catch(() => assert.fail("a mode moves the bodies"));
    await page.click("#mode-stop");
    assert.equal(await page.$$eval("#modes .row.on", (list) => list.length), 0, "stop ends it");
    await page.click("#modes .row");
    await page.click('[data-tab="model"]');
    assert.equal(await page.$$eval("#modes .row.on", (list) => list.length), 0, "so does another tab");
    console.log("modes were shown");
  }
  if (special === "symbols") {
    // A force that was switched off for a while has a gap in its curve, and no value there.
    await page.click('[data-tab="channels"]');
    await page.$eval("#search", (e) => { e.value = "sforce/1.fy"; e.dispatchEvent(new Event("input")); });
    await page.click('[data-channel="SFORCE/1.FY"]');
    // It was not there from 0.2 to 0.4 of 0.6: no curve is drawn then, with a second run in the plot either.
    const invented = await page.evaluate((stroke) => {
      const canvas = document.querySelector("#plot canvas"), of = canvas.getBoundingClientRect();
      const over = document.querySelector("#plot .u-over").getBoundingClientRect(), scale = canvas.width / of.width;
      const area = [over.left - of.left + 0.42 * over.width, over.top - of.top, 0.16 * over.width, over.height].map((v) => Math.round(v * scale));
      const { data } = canvas.getContext("2d").getImageData(...area);
      let like = 0;
      for (let k = 0; k < data.length; k += 4) if (stroke.every((v, c) => Math.abs(data[k + c] - v) < 4) && data[k + 3] > 250) ++like;
      return like;
    }, [0x6b, 0x72, 0x80]);
    assert(invented < 5, `a force that was not there has no curve: ${invented} pixels`);
    const value = () => page.$$eval(".chip", (chips) => chips.find((e) => e.textContent.includes("SFORCE/1.FY")).querySelector(".value").textContent);
    await scrub_to(0.5);
    assert.equal(await value(), "–", "no value where there was no force");
    await scrub_to(0.25);
    assert(Number.isFinite(Number(await value())), "a value where there was");
  }
  await page.click('[data-tab="report"]');
  if (special === "symbols") assert(await page.$eval("#report", (e) => /The model changed at 0.2, 0.4/.test(e.textContent)), "changes of the model are told");
  assert(await page.$eval("#report", (e) => e.textContent.includes("result")), "the report is there");
  const steps = await page.evaluate(() => JSON.parse(document.getElementById("run0").textContent).steps[0].length);
  assert.equal((await page.$$("#report canvas")).length, steps > 1 ? 3 : 0, "charts of step size, order and iterations");
  if (picture) await page.screenshot({ path: picture.replace(".png", "-report.png") });
  assert.deepEqual(errors, [], "no errors on the console");
  assert.deepEqual(requests, [], "nothing is fetched");
  console.log(`passed: ${page_path}`);
} finally {
  await browser.close();
}
