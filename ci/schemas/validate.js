// node validate.js NODE_MODULES SCHEMA FILE: prints each place in FILE (JSON or YAML) that violates
// SCHEMA, which is a file or a name in SchemaStore.
// Exit: 0 no violations, 1 some.
'use strict';
const fs = require('fs');
const path = require('path');
const [modules, name, file] = process.argv.slice(2);
const Ajv = require(path.join(modules, 'ajv'));
const yaml = require(path.join(modules, 'js-yaml'));

const fileOf = (schema) =>
    schema.endsWith('.json') ? schema : path.join(modules, 'schemastore/schemas/json', schema + '.json');
const read = (schema) => JSON.parse(fs.readFileSync(fileOf(schema), 'utf8'));
const ajv = new Ajv({schemaId: 'auto', unknownFormats: 'ignore', allErrors: true, logger: false});
ajv.addMetaSchema(require(path.join(modules, 'ajv/lib/refs/json-schema-draft-04.json')));
ajv.addMetaSchema(require(path.join(modules, 'ajv/lib/refs/json-schema-draft-06.json')));
const schema = read(name);
// A schema may refer to another schema of the store by its address.
for (const [, other] of JSON.stringify(schema).matchAll(/https:\/\/json\.schemastore\.org\/([a-z0-9.-]+?)(?:\.json)?[#"]/g)) {
  const address = `https://json.schemastore.org/${other}.json`;
  if (other !== name && !ajv.getSchema(address)) ajv.addSchema(read(other), address);
}
const text = fs.readFileSync(file, 'utf8');
const data = yaml.load(text, {schema: yaml.CORE_SCHEMA});  // `on:` is a name, not true
const validate = ajv.compile(schema);
if (validate(data)) process.exit(0);
for (const error of validate.errors) console.log(`${file}: ${error.dataPath || '/'} ${error.message}`);
process.exit(1);
