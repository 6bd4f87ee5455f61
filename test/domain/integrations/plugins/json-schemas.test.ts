import assert from 'node:assert/strict';
import { schemaFaults } from '../../../../domain/integrations/plugins/json-schemas.ts';

const deep = (levels: number): object =>
  levels === 0 ? { type: 'string' } : { type: 'array', items: deep(levels - 1) };
const inside = (schema: unknown) => ({ type: 'object', properties: { one: schema } });
const found = (schema: object) =>
  schemaFaults(schema as Record<string, unknown>, '/s').map(({ pointer, code }) => [pointer, code]);

describe('JSON Schemas of manifests', () => {
  it('may describe objects', () => {
    const address = { type: 'object', properties: { city: { type: 'string', maxLength: 40 } }, required: ['city'] };
    const schema = {
      type: 'object',
      properties: { count: { type: 'integer', minimum: 1 }, kind: { enum: ['a', 1, null] }, to: address },
      additionalProperties: false,
    };
    assert.deepEqual(found(schema), []);
  });

  it('cannot be slow, refer elsewhere or mean something else, and report each fault at its pointer', () => {
    const cases: [object, string, string][] = [
      [{ type: 'array' }, '/s/type', 'invalid_schema'],
      [inside({ pattern: '(a+)+$' }), '/s/properties/one/pattern', 'unknown_keyword'],
      [inside({ $ref: '#' }), '/s/properties/one/$ref', 'unknown_keyword'],
      [inside({ $ref: 'https://example.com/schema' }), '/s/properties/one/$ref', 'unknown_keyword'],
      [{ type: 'object', patternProperties: { '(a+)+$': {} } }, '/s/patternProperties', 'unknown_keyword'],
      [{ type: 'object', constructor: 1 }, '/s/constructor', 'unknown_keyword'],
      [JSON.parse('{"type":"object","properties":{"__proto__":{}}}'), '/s/properties/__proto__', 'not_allowed'],
      [inside({ type: ['string'] }), '/s/properties/one/type', 'invalid_schema'],
      [inside({ format: 'regex' }), '/s/properties/one/format', 'invalid_schema'],
      [inside({ enum: [{}] }), '/s/properties/one/enum', 'invalid_schema'],
      [inside({ enum: ['a', 'a'] }), '/s/properties/one/enum', 'invalid_schema'],
      [inside({ maxLength: -1 }), '/s/properties/one/maxLength', 'invalid_schema'],
      [inside('string'), '/s/properties/one', 'invalid_schema'],
      [inside(deep(7)), `/s/properties/one${'/items'.repeat(7)}`, 'too_deep'],
      [{ type: 'object', title: 'x'.repeat(20_001) }, '/s', 'too_long'],
    ];
    for (const [schema, pointer, code] of cases) assert.deepEqual(found(schema), [[pointer, code]]);
  });
});
