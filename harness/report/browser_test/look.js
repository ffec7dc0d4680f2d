// Opens a report in headless Chromium as people will: light, dark, on a phone, offline; clicks; and looks for what must be there.
//
//   node look.js MODULES CHROMIUM PAGE PICTURES [TYPE REVISION RULE]
//
// PICTURES: folder for screenshots. TYPE, REVISION, RULE: a cell that must tell of that rule. Exit: 0 all is there, 1 not.
'use strict';
const path = require('path');
const { createRequire } = require('module');
const [modules, executablePath, page, pictures, type, revision, rule] = process.argv.slice(2);
const { chromium } = createRequire(path.resolve(modules, 'anchor.js'))('playwright-core');

let failed = 0;
function expect(that, what) {
  if (that) return;
  failed++;
  console.log(`not so: ${what}`);
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

  // The story of a cell is behind a click.
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

  // Filtering leaves what was typed; keys reach the cells.
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
    await check(browser, 'dark', { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' });
    await check(browser, 'phone', { viewport: { width: 360, height: 740 }, colorScheme: 'light', deviceScaleFactor: 2, isMobile: true, hasTouch: true });
    await check(browser, 'phone-dark', { viewport: { width: 360, height: 740 }, colorScheme: 'dark', deviceScaleFactor: 2, isMobile: true, hasTouch: true });
  } finally {
    await browser.close();
  }
  console.log(failed ? `${failed} not so` : `${page}: light, dark and on a phone as it should be`);
  process.exit(failed ? 1 : 0);
})().catch((error) => {
  console.log(error.stack);
  process.exit(1);
});
