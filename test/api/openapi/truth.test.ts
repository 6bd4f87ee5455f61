import assert from 'node:assert/strict';
import { buildOpenApi } from '../../../api/openapi/document.ts';
import { ROUTES } from '../../../api/routes.ts';
import { description, schemaValidator } from '../../helpers/conformance.ts';
import { apiOperations, type Json, resolve, undescribed, withoutExample } from '../../helpers/openapi-gaps.ts';

interface Media {
  readonly schema: Json;
  readonly example?: unknown;
  readonly examples?: Record<string, { value: unknown }>;
}

describe('the words of the description', function () {
  this.timeout(120_000);
  let document: Json;
  before(() => {
    ({ document } = description());
  });

  const operationCalled = (id: string) =>
    apiOperations(document).find(([, operation]) => operation.operationId === id)?.[1] as Json;
  const responseSchema = (id: string, status: number) =>
    (
      resolve(document, (operationCalled(id).responses as Record<string, Json>)[status] as Json).content as Record<
        string,
        Media
      >
    )['application/json'] as Media;

  it('describe every tag, operation, parameter and property', () => {
    assert.deepEqual(undescribed(document), []);
  });

  it('give every operation examples that fit their schemas', () => {
    assert.deepEqual(withoutExample(document), []);
    let examples = 0;
    for (const [place, operation] of apiOperations(document)) {
      const answers = Object.values(operation.responses as Json).map((answer) => resolve(document, answer as Json));
      for (const { content } of [(operation.requestBody as Json | undefined) ?? {}, ...answers]) {
        for (const [type, { schema, example, examples: several = {} }] of Object.entries(
          (content as Record<string, Media> | undefined) ?? {},
        )) {
          const values =
            example === undefined
              ? Object.values(several).map((one) => (resolve(document, one) as { value: unknown }).value)
              : [example];
          for (const value of values) {
            examples++;
            const valid = schemaValidator(schema);
            assert.ok(valid(value), `${place} ${type}: ${JSON.stringify(valid.errors)} ${JSON.stringify(value)}`);
          }
        }
      }
    }
    for (const [title, schema] of Object.entries((document.components as { schemas: Record<string, Json> }).schemas)) {
      for (const value of (schema.examples as unknown[] | undefined) ?? []) {
        examples++;
        const valid = schemaValidator({ $ref: `#/components/schemas/${title}` });
        assert.ok(valid(value), `${title}: ${JSON.stringify(valid.errors)} ${JSON.stringify(value)}`);
      }
    }
    assert.ok(examples > 1000, `${examples} examples`);
  });

  it('show what has just happened: a posted invoice has its number', () => {
    const { data } = responseSchema('postSalesInvoice', 200).example as { data: Json };
    assert.equal(data.status, 'O');
    assert.equal(data.number, 17);
    assert.ok(data.postedAt);
    assert.equal((responseSchema('createSalesInvoice', 201).example as { data: Json }).data.status, 'D');
    assert.equal((responseSchema('cancelSalesOrder', 200).example as { data: Json }).data.status, 'X');
  });

  it('name every schema by itself', () => {
    const names = Object.keys((document.components as { schemas: Json }).schemas);
    assert.deepEqual(
      names.filter((name) => /\d$/.test(name)),
      [],
    );
    assert.ok(names.includes('SalesInvoiceHead') && names.includes('SalesInvoice'));
  });

  it('name every object, so that generators need not', () => {
    const inline: string[] = [];
    const look = (node: unknown, place: string) => {
      if (typeof node !== 'object' || node === null) return;
      if ('properties' in node && 'type' in node) inline.push(place);
      for (const [key, value] of Object.entries(node)) {
        if (!['example', 'examples', 'multipart/form-data'].includes(key)) look(value, `${place}/${key}`);
      }
    };
    for (const [place, operation] of apiOperations(document)) look(operation, place);
    for (const [title, schema] of Object.entries((document.components as { schemas: Json }).schemas)) {
      for (const [key, value] of Object.entries(schema as Json)) if (key !== 'examples') look(value, `${title}/${key}`);
    }
    assert.deepEqual(inline, []);
  });

  it('let no operation be mistaken for an event', () => {
    const ids = apiOperations(document).map(([, { operationId }]) => String(operationId));
    assert.equal(new Set(ids).size, ids.length);
    for (const id of ids) assert.match(id, /^[A-Za-z]\w*$/);
    for (const item of Object.values(document.webhooks as Json))
      assert.deepEqual((item as { post: Json }).post.tags, ['Events']);
    const without = buildOpenApi(ROUTES, { webhooks: false });
    assert.equal('webhooks' in without, false);
    assert.equal(
      (without.tags as { name: string }[]).some(({ name }) => name === 'Events'),
      false,
    );
  });

  it('take every price of two decimals', () => {
    const price: Json = {
      type: 'number',
      ...((document.components as { schemas: Record<string, { properties: Record<string, Json> }> }).schemas.ItemCreate
        ?.properties.salePrice as Json),
    };
    assert.equal(price['x-decimal-places'], 6);
    const valid = schemaValidator(price);
    for (let cents = 0; cents < 100_000; cents++) assert.ok(valid(cents / 100), String(cents / 100));
    assert.equal(valid(1e12), false);
  });

  it('make no member of a request required by a default', () => {
    const bodies = apiOperations(document).map(([, { requestBody }]) => JSON.stringify(requestBody ?? {}));
    for (const body of bodies) assert.doesNotMatch(body.replaceAll(/"examples?":/g, ''), /"default":/);
    assert.match(JSON.stringify(document.components), /Default: general/);
  });

  it('name the codes of each operation alone', () => {
    const codes = (id: string, status: number) =>
      resolve(document, (operationCalled(id).responses as Record<string, Json>)[status] as Json)['x-codes'];
    assert.deepEqual(codes('deletePartner', 409), ['in_use']);
    assert.deepEqual(codes('createPartner', 409), ['answer_not_kept', 'duplicate', 'idempotency_key_in_use']);
    assert.deepEqual(codes('findPrice', 404), ['not_found']);
    assert.deepEqual(codes('login', 401), ['invalid_credentials']);
    assert.equal((operationCalled('listItems').responses as Json)[409], undefined);
  });

  it('know the headers of an answer, and what there is to choose from', () => {
    const headers = (id: string, status: number) =>
      Object.keys(((operationCalled(id).responses as Record<string, Json>)[status] as Json).headers as Json);
    assert.ok(headers('createPartner', 201).includes('Location') && headers('createPartner', 201).includes('ETag'));
    assert.ok(headers('getSalesInvoicePdf', 200).includes('Content-Disposition'));
    const parameter = (id: string, name: string) =>
      (
        (operationCalled(id).parameters as Json[])
          .map((one) => resolve(document, one))
          .find((one) => one.name === name) as {
          schema: { enum?: string[]; items?: { enum: string[] } };
        }
      ).schema;
    assert.ok(parameter('importFile', 'resource').enum?.includes('partners'));
    assert.ok(parameter('listPartners', 'sort').items?.enum.includes('-name'));
  });

  it('take as a moment what a list takes', () => {
    const { schema } = (operationCalled('listItems').parameters as Json[])
      .map((one) => resolve(document, one))
      .find(({ name }) => name === 'createdAt') as unknown as { schema: Json };
    const valid = schemaValidator(schema);
    for (const good of ['2026-02-28', '2026-02-28T10:00:00Z', '2026-02-28T10:00:00.123+01:00']) assert.ok(valid(good));
    for (const bad of ['', '1886-17-59', '2026-02-28T25:00Z', '2026-02-28T10:00:00+23:00'])
      assert.equal(valid(bad), false);
  });
});
