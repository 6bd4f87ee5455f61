import assert from 'node:assert/strict';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';

describe('master data', () => {
  let customers: string;
  let unit: string;

  const app = useApp();
  before(async () => {
    customers = (await app.client.get('/api/partnerGroups?code=CLI')).body.data[0].id;
    unit = (await app.client.get('/api/uom?code=UD')).body.data[0].id;
  });

  const audit = async (id: string) =>
    (await app.client.get(`/api/audit-logs?entityId=${id}`)).body.data as {
      action: string;
      oldValue: Record<string, unknown> | null;
      newValue: Record<string, unknown> | null;
    }[];

  it('creates, reads, changes and deletes a partner, and records each of it', async () => {
    const made = await app.client.post('/api/partners', { name: 'Ana Ferrer', groupId: customers, nif: '12345678z' });
    assert.equal(made.status, 201);
    const { id, code } = made.body.data;
    assert.match(code, /^CLI\d{5}$/);
    assert.equal(made.body.data.nif, '12345678Z');
    assert.equal(made.body.data.countryCode, 'ES');
    assert.equal(made.body.data.withholdingRate, 0);
    assert.equal(made.headers.get('location'), `/api/partners/${id}`);
    assert.equal(made.headers.get('etag'), `"${made.body.data.id}-1"`);
    assert.deepEqual((await app.client.get(`/api/partners/${id}`)).body, made.body);

    const changed = await app.client.patch(`/api/partners/${id}`, { creditLimit: 1500.5, phone: null });
    assert.equal(changed.status, 200);
    assert.equal(changed.body.data.creditLimit, 1500.5);
    assert.equal(changed.body.data.version, 2);
    const unchanged = await app.client.patch(`/api/partners/${id}`, { creditLimit: 1500.5 });
    assert.equal(unchanged.body.data.version, 2);

    assert.equal((await app.client.del(`/api/partners/${id}`)).status, 204);
    assert.equal((await app.client.get(`/api/partners/${id}`)).status, 404);
    const records = await audit(id);
    assert.deepEqual(
      records.map(({ action }) => action),
      ['DELETE', 'UPDATE', 'CREATE'],
    );
    assert.equal(records[0]?.newValue, null);
    assert.equal(records[1]?.oldValue?.creditLimit, null);
    assert.deepEqual(records[1]?.newValue, changed.body.data);
    assert.deepEqual(records[2]?.newValue, made.body.data);
  });

  it('gives 64 partners created at once codes without gap or duplicate', async () => {
    const group = await app.client.post('/api/partnerGroups', { code: 'GAP', name: 'Sin huecos', codePrefix: 'G' });
    const groupId = group.body.data.id;
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, index) =>
        // Every fourth is refused after its number was taken, and gives it back.
        app.client.post('/api/partners', {
          name: `P${index}`,
          groupId,
          ...(index % 4 === 3 ? { nif: '12345678Z' } : {}),
        }),
      ),
    );
    const created = answers.filter(({ status }) => status === 201);
    assert.equal(created.length, 49);
    assert.ok(answers.every(({ status }) => status === 201 || status === 409));
    const codes = created.map(({ body }) => body.data.code).sort();
    assert.deepEqual(
      codes,
      Array.from({ length: 49 }, (_, index) => `G${String(index + 1).padStart(5, '0')}`),
    );
  });

  it('steps over codes that were given by hand', async () => {
    const group = await app.client.post('/api/partnerGroups', { code: 'HND', name: 'A mano', codePrefix: 'H' });
    const groupId = group.body.data.id;
    await app.client.post('/api/partners', { name: 'Uno', groupId, code: 'H00001' });
    const { status, body } = await app.client.post('/api/partners', { name: 'Dos', groupId });
    assert.equal(status, 201);
    assert.equal(body.data.code, 'H00002');
  });

  it('refuses a second partner with the same nif, and nif and iban that are wrong', async () => {
    const one = { name: 'Uno', groupId: customers, nif: 'B12345674' };
    assert.equal((await app.client.post('/api/partners', one)).status, 201);
    const second = await app.client.post('/api/partners', { ...one, name: 'Dos' });
    assert.equal(second.status, 409);
    assert.equal(second.body.code, 'duplicate');
    assert.deepEqual(
      second.body.errors.map((fault: { pointer: string }) => fault.pointer),
      ['/nif'],
    );
    const asVat = await app.client.post('/api/partners', { ...one, nif: 'es b-12345674' });
    assert.deepEqual([asVat.status, asVat.body.code], [409, 'duplicate']);
    for (const [member, value] of [
      ['nif', 'B12345678'],
      ['iban', 'ES0000000000000000000000'],
    ] as const) {
      const { status, body } = await app.client.post('/api/partners', {
        name: 'X',
        groupId: customers,
        [member]: value,
      });
      assert.equal(status, 422);
      assert.equal(body.errors[0].pointer, `/${member}`);
    }
  });

  it('checks a nif by the country of its partner, also when the country changes', async () => {
    const german = { name: 'Berliner Handel', groupId: customers, countryCode: 'DE' };
    const { status, body } = await app.client.post('/api/partners', { ...german, nif: '136 695 976' });
    assert.deepEqual([status, body.data.nif], [201, 'DE136695976']);
    const again = await app.client.post('/api/partners', { ...german, nif: 'de136695976' });
    assert.deepEqual([again.status, again.body.code], [409, 'duplicate']);
    const path = `/api/partners/${body.data.id}`;
    for (const change of [{ nif: 'DE136695977' }, { countryCode: 'FR' }, { countryCode: 'ES' }]) {
      const wrong = await app.client.patch(path, change);
      assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [422, '/nif']);
    }
    const moved = await app.client.patch(path, { countryCode: 'GR', nif: '094259216' });
    assert.deepEqual([moved.status, moved.body.data.nif], [200, 'EL094259216']);
    const elsewhere = { name: 'Overseas', groupId: customers, countryCode: 'US', nif: '12-3456789' };
    assert.equal((await app.client.post('/api/partners', elsewhere)).body.data.nif, '123456789');
  });

  it('defaults an item by its type', async () => {
    const product = (await app.client.post('/api/items', { name: 'Tornillo', uomId: unit, salePrice: 0.123456 })).body
      .data;
    assert.equal(product.stockTracked, true);
    assert.equal(product.salePrice, 0.123456);
    assert.ok(product.salesTaxGroupId);
    const service = (await app.client.post('/api/items', { name: 'Montaje', uomId: unit, type: 'service' })).body.data;
    assert.equal(service.stockTracked, false);
    assert.notEqual(service.code, product.code);
    const refused = await app.client.patch(`/api/items/${service.id}`, { stockTracked: true });
    assert.equal(refused.status, 422);
    assert.equal(refused.body.errors[0].pointer, '/stockTracked');
  });

  it('names what stands in the way of a deletion', async () => {
    const tax = (await app.client.get('/api/taxes?code=IVA21')).body.data[0];
    await app.client.post('/api/items', { name: 'Con IVA', uomId: unit, salesTaxGroupId: tax.id });
    const { status, body } = await app.client.del(`/api/taxes/${tax.id}`);
    assert.equal(status, 409);
    assert.equal(body.code, 'in_use');
    assert.match(body.detail, /items/);
  });

  it('lets a second default take over from the first, also when many come at once', async () => {
    const first = (await app.client.get('/api/warehouses?isDefault=true')).body.data[0];
    const names = Array.from({ length: 8 }, (_, index) => `Almacén ${index}`);
    const made = await Promise.all(names.map((name) => app.client.post('/api/warehouses', { name, isDefault: true })));
    assert.deepEqual([...new Set(made.map(({ status }) => status))], [201]);
    assert.equal(new Set(made.map(({ body }) => body.data.code)).size, 8);
    assert.equal((await app.client.get('/api/warehouses?isDefault=true')).body.pagination.total, 1);
    const records = await audit(first.id);
    assert.equal(records[0]?.action, 'UPDATE');
    assert.equal(records[0]?.newValue?.isDefault, false);
  });

  it('keeps one default series for each document type, kind and year', async () => {
    const [{ year }] = (await app.client.get('/api/series?docType=SINV&rectifying=false')).body.data;
    const series = { docType: 'SINV', prefix: 'F-', isDefault: true, year };
    const made = await app.client.post('/api/series', { ...series, firstNumber: 100 });
    assert.equal(made.status, 201);
    assert.equal(made.body.data.nextNumber, 100);
    const defaults = (await app.client.get('/api/series?docType=SINV&isDefault=true&sort=rectifying')).body.data;
    assert.deepEqual(
      defaults.map(({ rectifying, prefix }: { rectifying: boolean; prefix: string }) => [
        rectifying,
        prefix.slice(0, 2),
      ]),
      [
        [false, 'F-'],
        [true, 'RS'],
      ],
    );
    const wrong = await app.client.post('/api/series', { docType: 'SO', prefix: 'Q', rectifying: true });
    assert.equal(wrong.status, 422);
  });

  it('refuses overlapping periods and generates the missing months of a year once', async () => {
    const overlap = await app.client.post('/api/periods', {
      code: 'X',
      name: 'X',
      from: '2031-01-15',
      to: '2031-02-15',
    });
    assert.equal(overlap.status, 201);
    const second = await app.client.post('/api/periods', {
      code: 'Y',
      name: 'Y',
      from: '2031-02-15',
      to: '2031-02-20',
    });
    assert.equal(second.status, 409);
    assert.equal(second.body.code, 'overlap');
    const [one, other] = await Promise.all([
      app.client.post('/api/periods/generate', { year: 2031 }),
      app.client.post('/api/periods/generate', { year: 2031 }),
    ]);
    assert.equal(one.body.data.length + other.body.data.length, 10);
    const backwards = await app.client.post('/api/periods', {
      code: 'Z',
      name: 'Z',
      from: '2033-02-01',
      to: '2033-01-01',
    });
    assert.equal(backwards.status, 422);
    assert.equal(backwards.body.errors[0].pointer, '/to');
  });

  it('closes and opens a period', async () => {
    const { id } = (
      await app.client.post('/api/periods', { code: 'C', name: 'C', from: '2040-01-01', to: '2040-01-31' })
    ).body.data;
    const closed = await app.client.patch(`/api/periods/${id}`, { status: 'C' });
    assert.equal(closed.body.data.status, 'C');
    // Its days cannot be released to an open period.
    for (const change of [{ to: '2040-01-15' }, { from: '2039-12-31' }]) {
      const refused = await app.client.patch(`/api/periods/${id}`, change);
      assertProblem(refused, 409, 'period_closed');
      assert.match(refused.body.detail, /cannot be changed because it is closed; reopen it first/);
    }
    assertProblem(await app.client.del(`/api/periods/${id}`), 409, 'period_closed');
    assert.equal((await app.client.patch(`/api/periods/${id}`, { name: 'Enero' })).status, 200);
    assert.equal((await app.client.patch(`/api/periods/${id}`, { status: 'O' })).body.data.status, 'O');
    assert.equal((await app.client.patch(`/api/periods/${id}`, { to: '2040-01-15' })).body.data.to, '2040-01-15');
    assert.equal((await app.client.del(`/api/periods/${id}`)).status, 204);
  });
});
