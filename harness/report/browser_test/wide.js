// Turns a report of a few revisions into a report of many. Adds old revisions without goldens, an
// imported golden, and errors.
//
//   node wide.js REPORT_JSON [ERROR_AT...]   the new report goes to stdout; ERROR_AT: numbers of revisions with an error
'use strict';
const fs = require('fs');
const [from, ...errors] = process.argv.slice(2);
const report = JSON.parse(fs.readFileSync(from, 'utf8'));
const known = report.revisions.length, OLDER = 60 - known, UNRECORDED = 19;
const old = [...Array(OLDER).keys()].map((i) => ({
  name: `SR_OLDER_AND_WITH_A_LONG_NAME_${i + 1}`, number: i + 1, lineage: '0x0000000000000000', recorded: i >= UNRECORDED,
  imported: i === 5, changes: [],
}));
report.revisions.forEach((revision, i) => { revision.number = OLDER + i + 1; revision.imported = revision.imported || false; });
report.revisions = old.concat(report.revisions);
for (const type of report.types) {
  for (const list of [type.layouts, type.goldens, type.costs]) {
    for (const entry of list) if (entry[0] >= 0) entry[0] += OLDER;
  }
}
const type = report.types.find((one) => one.kind === 'root').name;
for (const number of errors.map(Number)) {
  report.findings.push({
    rule: 'GH003', severity: 'error', signal: 'value', type, field: 'hp', revision: report.revisions[number - 1].name,
    revisions: [report.revisions[number - 1].name], message: `${type}.hp was 3, but is now read as 4`, details: '', fix: '', file: '', line: 0,
  });
}
process.stdout.write(JSON.stringify(report));
