// Opens a report in headless Chromium (light, dark, as on a phone, offline), clicks, and checks
// that the expected content is present.
//
//   node look.js MODULES CHROMIUM PAGE PICTURES [TYPE REVISION RULE]
//
// PICTURES: folder for screenshots. TYPE, REVISION, RULE: a cell that must mention that rule.
// Exit: 0 all content is present, 1 some is missing.
'use strict';
const path = require('path');
const { createRequire } = require('module');
const [modules, executablePath, page, pictures, type, revision, rule] = process.argv.slice(2);
const { chromium } = createRequire(path.resolve(modules, 'anchor.js'))('playwright-core');

let failed = 0;
function expect(that, what) {
  if (that) return;
  failed++;
  console.log(`failed: ${what}`);
}

async function open(browser, options) {
  const context = await browser.newContext({ ...options, offline: true });
  const tab = await context.newPage();
  const seen = { requests: [], errors: [] };
  tab.on('request', (request) => seen.requests.push(request.url()));
  tab.on('pageerror', (error) => seen.errors.push(String(error)));
  tab.on('console', (message) => { if (message.type() === 'error') seen.errors.push(message.text()); });
  tab.on('dialog', (dialog) => { seen.errors.push(`a dialog: ${dialog.message()}`); dialog.dismiss(); });
  await tab.goto(`file://${path.resolve(page)}`);
  await tab.waitForSelector('main:not([hidden])', { timeout: 20000 });
  return { context, tab, seen };
}

async function check(browser, name, options) {
  const { context, tab, seen } = await open(browser, options);
  expect(seen.requests.length === 1, `${name}: one request, the page itself; there were ${seen.requests.join(' ')}`);
  const wide = await tab.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(wide <= 0, `${name}: the page is not wider than the screen (${wide} px)`);
  expect((await tab.locator('#matrix .cell').count()) > 0, `${name}: cells`);
  expect((await tab.locator('#sizes polyline').count()) > 0, `${name}: sizes`);
  expect((await tab.locator('#changes details').count()) > 0, `${name}: changes`);
  expect((await tab.locator('#slowest li').count()) > 0, `${name}: slowest cells`);
  const dark = await tab.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = dark.match(/\d+/g).slice(0, 3).reduce((sum, c) => sum + Number(c), 0) > 384;
  expect(light === (options.colorScheme !== 'dark'), `${name}: background ${dark}`);
  await tab.screenshot({ path: path.join(pictures, `${name}.png`) });

  // The matrix must show the newest revisions and the newest error, with their numbers, and must use the width of the screen.
  const seenNow = await tab.evaluate(() => {
    const box = document.getElementById('scroll').getBoundingClientRect();
    const inside = (node) => {
      const at = node.getBoundingClientRect();
      return at.left >= box.left - 1 && at.right <= box.right + 1;
    };
    const data = JSON.parse(document.getElementById('data').textContent);
    const last = (nodes) => nodes[nodes.length - 1];
    const names = [...document.querySelectorAll('#matrix .revision')], numbers = [...document.querySelectorAll('#matrix .number')];
    const order = new Map(data.revisions.map((revision, i) => [revision.name, i]));
    const red = [...document.querySelectorAll('#matrix .cell.error')].sort((a, b) => order.get(a.dataset.revision) - order.get(b.dataset.revision));
    return {
      newest: inside(last(names)),
      numbered: numbers.length === names.length && last(numbers).textContent === String(last(data.revisions).number),
      below: last(numbers).getBoundingClientRect().top >= last(names).getBoundingClientRect().bottom - 1,
      red: !red.length || inside(last(red)), reds: red.length,
      main: document.getElementById('main').getBoundingClientRect().width / innerWidth,
      having: data.revisions.filter((revision) => revision.recorded || revision.imported).length, all: data.revisions.length,
      bad: data.findings.some((finding) => finding.severity !== 'note'),
    };
  });
  expect(seenNow.red, `${name}: the newest error is in sight`);
  expect(seenNow.newest || seenNow.reds > 0, `${name}: the newest revision is in sight`);
  expect(seenNow.numbered && seenNow.below, `${name}: each revision's number is under its name`);
  expect(seenNow.main > 0.9, `${name}: the page takes the width of the screen (${seenNow.main})`);
  const [verdict, summary] = [await tab.locator('#verdict').innerText(), await tab.locator('#summary').innerText()];
  const share = seenNow.having === seenNow.all ? 'll ' : `${seenNow.having} of `;
  expect((seenNow.bad ? summary : verdict).includes(`${share}${seenNow.all} revision`), `${name}: how many revisions have goldens: ${verdict} | ${summary}`);
  expect(seenNow.bad || verdict.endsWith('have goldens; all of them load'), `${name}: the headline: ${verdict}`);

  // A click on a cell must show its history.
  const cell = type
    ? tab.locator(`.cell[data-type="${type}"][data-revision="${revision}"]`)
    : tab.locator('#matrix .row.root .cell').last();
  await cell.click();
  const story = tab.locator('#story');
  const text = await story.innerText();
  for (const signal of ['layout', 'bytes', 'value', 'upgrade', 'stability', 'refusal', 'coverage']) {
    expect(text.includes(signal), `${name}: the story tells of ${signal}`);
  }
  expect((await story.locator('.fields li').count()) > 0, `${name}: the story has the fields`);
  if (rule) expect(text.includes(rule), `${name}: the story has ${rule}: ${text.slice(0, 200)}`);
  await tab.locator('#changes details').first().locator('summary').click();
  await tab.screenshot({ path: path.join(pictures, `${name}-story.png`), fullPage: true });

  // The filter must keep the rows that match the typed text, and the cells must be reachable with
  // the keyboard.
  const rows = await tab.locator('#matrix .row:not(.head):visible').count();
  const first = (await tab.locator('#matrix .row:not(.head) .name').first().innerText()).toLowerCase();
  await tab.fill('#filter', first);
  const left = await tab.locator('#matrix .row:not(.head):visible').count();
  expect(left >= 1 && left <= rows, `${name}: the filter`);
  await tab.fill('#filter', '');
  await tab.locator('#matrix .cell').first().focus();
  await tab.keyboard.press('Enter');
  expect((await tab.locator('.cell[aria-pressed="true"]').count()) === 1, `${name}: a key presses a cell`);
  expect(seen.errors.length === 0, `${name}: no errors: ${seen.errors.join('; ')}`);
  await context.close();
}

(async () => {
  const browser = await chromium.launch({ executablePath, headless: true, args: ['--no-sandbox'] });
  try {
    await check(browser, 'light', { viewport: { width: 1280, height: 900 }, colorScheme: 'light' });
    await check(browser, 'wide', { viewport: { width: 2000, height: 1100 }, colorScheme: 'light' });
    await check(browser, 'dark', { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' });
    await check(browser, 'phone', { viewport: { width: 360, height: 740 }, colorScheme: 'light', deviceScaleFactor: 2, isMobile: true, hasTouch: true });
    await check(browser, 'phone-dark', { viewport: { width: 360, height: 740 }, colorScheme: 'dark', deviceScaleFactor: 2, isMobile: true, hasTouch: true });
  } finally {
    await browser.close();
  }
  console.log(failed ? `${failed} failed` : `${page}: correct in light and dark mode and on a phone`);
  process.exit(failed ? 1 : 0);
})().catch((error) => {
  console.log(error.stack);
  process.exit(1);
});
