// Opens the page of a large save in headless Chromium. Checks that the page makes no requests, that
// the tree opens, that the search finds a value, and that offsets are shown on demand.
//
//   node save.js MODULES CHROMIUM PAGE PICTURES
//
// The save is a Pong match with many players, one of whom is called `needle`. Exit: 0 all checks
// pass, 1 a check fails.
'use strict';
const path = require('path');
const { createRequire } = require('module');
const [modules, executablePath, page, pictures] = process.argv.slice(2);
const { chromium } = createRequire(path.resolve(modules, 'anchor.js'))('playwright-core');

let failed = 0;
function expect(that, what) {
  if (that) return;
  failed++;
  console.log(`failed: ${what}`);
}

(async () => {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const context = await browser.newContext({ offline: true });
  const tab = await context.newPage();
  const requests = [], errors = [];
  tab.on('request', (request) => requests.push(request.url()));
  tab.on('pageerror', (error) => errors.push(String(error)));
  tab.on('console', (message) => { if (message.type() === 'error') errors.push(message.text()); });
  tab.on('dialog', (dialog) => { errors.push(`a dialog: ${dialog.message()}`); dialog.dismiss(); });
  const begin = Date.now();
  await tab.goto(`file://${path.resolve(page)}`, { timeout: 120000 });
  await tab.waitForSelector('main:not([hidden])', { timeout: 120000 });
  console.log(`opened in ${Date.now() - begin} ms`);
  expect(requests.length === 1, `one request, the page itself; there were ${requests.join(' ')}`);
  const facts = await tab.locator('#facts').textContent();
  expect(/SR_\w+ = \d+/.test(facts) && /\d{8} bytes/.test(facts), `the head has revision and size: ${facts}`);
  expect((await tab.locator('#tree .row').count()) < 1000, 'only what is open is in the page');

  await tab.fill('#search', 'needle');
  await tab.waitForFunction(() => document.getElementById('state').textContent === '1 found', null, { timeout: 120000 });
  await tab.locator('#hits .hit').first().click();
  const found = await tab.locator('.found').textContent();
  expect(/name: "needle <img/.test(found), `the search leads to the value: ${found}`);
  expect((await tab.locator('.place').count()) === 0, 'no offsets until they are wanted');
  await tab.check('#offsets', { timeout: 120000 });
  const place = await tab.locator('.found .place').textContent({ timeout: 120000 });
  expect(/^at \d{8}, \d+ bytes$/.test(place), `the offset of the value: ${place}`);
  console.log(`searched and located after ${Date.now() - begin} ms: ${place}`);
  await tab.screenshot({ path: path.join(pictures, 'save.png') });
  expect(errors.length === 0, `errors: ${errors.join('; ')}`);
  await browser.close();
  process.exit(failed ? 1 : 0);
})().catch((error) => { console.log(String(error)); process.exit(1); });
