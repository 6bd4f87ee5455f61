import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { shareParts } from '../../../api/openapi/sharing.ts';
import type { Json } from '../../helpers/openapi-gaps.ts';

const answer = (schema: Json) => ({ 200: { content: { 'application/json': { schema } } } });
const operation = (operationId: string, schema: Json, parameters: Json[] = []) => ({
  get: { operationId, parameters, responses: answer(schema) },
});
const address = () => ({ type: 'object', properties: { street: { type: 'string' } } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

function shared(paths: Record<string, Record<string, Json>>, schemas: Json = {}) {
  const document = { paths, components: { schemas, parameters: {} as Json } };
  shareParts(document);
  return document;
}
describe('parts of the description', () => {
  it('that are objects are components, named after record and member, and the same one once', () => {
    const Partner = { type: 'object', properties: { home: address(), work: { ...address(), description: 'Office' } } };
    const document = shared({ '/a': operation('listPartners', { type: 'array', items: ref('Partner') }) }, { Partner });
    const { schemas } = document.components;
    assert.deepEqual(Object.keys(schemas), ['Partner', 'PartnerHome']);
    assert.deepEqual((schemas.Partner as Json).properties, {
      home: ref('PartnerHome'),
      work: { ...ref('PartnerHome'), description: 'Office' },
    });
  });

  it('keep what belongs to their place: null, words, and that they are read-only', () => {
    const nullable = { ...address(), type: ['object', 'null'], description: 'Where', readOnly: true };
    const { components } = shared({}, { Partner: { type: 'object', properties: { home: nullable } } });
    assert.deepEqual((components.schemas.Partner as { properties: Json }).properties.home, {
      anyOf: [ref('PartnerHome'), { type: 'null' }],
      description: 'Where',
      readOnly: true,
    });
  });

  it('within parts are parts too, entries of lists by the name of one', () => {
    const line = { type: 'object', properties: { taxes: { type: 'array', items: address() } } };
    const Order = { type: 'object', properties: { lines: { type: 'array', items: line } } };
    const { schemas } = shared({}, { Order }).components;
    assert.deepEqual(Object.keys(schemas).sort(), ['Order', 'OrderLine', 'OrderTax']);
    assert.deepEqual((schemas.OrderLine as { properties: Json }).properties.taxes, {
      type: 'array',
      items: ref('OrderTax'),
    });
  });

  it('do not take the name of another schema', () => {
    const other = { type: 'object', properties: { city: { type: 'string' } } };
    const Partner = { type: 'object', properties: { home: address() } };
    const { schemas } = shared({}, { Partner, PartnerHome: other }).components;
    assert.deepEqual((schemas.Partner as { properties: Json }).properties.home, ref('Home'));
    assert.deepEqual(schemas.PartnerHome, other);
  });

  it('that are parameters are shared where they are the same', () => {
    const parameter = (description: string) => ({
      name: 'createdAt',
      in: 'query',
      description,
      schema: { type: 'string' },
    });
    const document = shared({
      '/a': operation('listA', {}, [parameter('When it was made'), parameter('Only here')]),
      '/b': operation('listB', {}, [parameter('When it was made')]),
    });
    const reference = { $ref: '#/components/parameters/queryCreatedAt' };
    assert.deepEqual(document.paths['/a']?.get?.parameters, [reference, parameter('Only here')]);
    assert.deepEqual(document.paths['/b']?.get?.parameters, [reference]);
  });

  it('leave data and forms alone', () => {
    const data = { properties: { a: 1 } };
    const schema = { type: 'string', examples: [data], default: data };
    const { paths } = shared({ '/a': operation('readA', { ...schema }) });
    assert.deepEqual(paths['/a']?.get?.responses, answer(schema));
  });
});
