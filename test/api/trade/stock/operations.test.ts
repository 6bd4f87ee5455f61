import assert from 'node:assert/strict';
import type { Answer } from '../../../helpers/client.ts';
import { TODAY } from '../../../helpers/clock.ts';
import { download } from '../../../helpers/download.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';

type Row = Record<string, unknown> & { id: string };

const ADJUSTMENTS = '/api/stock/adjustments';
const TRANSFERS = '/api/stock/transfers';

describe('stock adjustments, transfers and batches', () => {
  let uomId: string;
  let supplierId: string;
  let customerId: string;
  let warehouseId: string;
  let otherId: string;
  let zones: string[];
  let farZoneId: string;

  const first = async (path: string) => (await app.client.get(path)).body.data[0] as Row;
  const created = async (path: string, body: unknown) => {
    const answer = await app.client.post(path, body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.data as Row & { lines: Row[] };
  };
  const item = (values: object = {}) => created('/api/items', { name: 'Tornillo', uomId, purchasePrice: 1, ...values });
  const receive = (...lines: object[]) =>
    created('/api/purchases/delivery-notes', { partnerId: supplierId, warehouseId, lines });
  const sell = (...lines: object[]) =>
    app.client.post('/api/sales/delivery-notes', { partnerId: customerId, warehouseId, lines });
  const flags = async (value: object) => assert.equal((await app.client.put('/api/config/flags', value)).status, 200);
  /** Returns the stock by place: [zone, batch, quantity]. */
  const places = async (itemId: string, within = warehouseId) =>
    (
      await app.client.get(`/api/stock?itemId=${itemId}&warehouseId=${within}&onHand[ne]=0&sort=zoneCode,batchNum`)
    ).body.data.map(({ zoneCode, batchNum, onHand }: Row) => [zoneCode, batchNum, onHand]);
  const faults = ({ body }: { body: { errors: { pointer: string; code: string }[] } }) =>
    body.errors.map(({ pointer, code }) => [pointer, code]);

  const app = useApp();
  before(async () => {
    uomId = (await first('/api/uom?code=UD')).id;
    const suppliers = (await first('/api/partnerGroups?code=PRO')).id;
    const customers = (await first('/api/partnerGroups?code=CLI')).id;
    supplierId = (await created('/api/partners', { name: 'P', groupId: suppliers })).id;
    customerId = (await created('/api/partners', { name: 'C', groupId: customers })).id;
    warehouseId = (await first('/api/warehouses?isDefault=true')).id;
    otherId = (await created('/api/warehouses', { name: 'Segundo' })).id;
    zones = [];
    for (const code of ['A-01', 'A-02']) zones.push((await created('/api/zones', { warehouseId, code })).id);
    farZoneId = (await created('/api/zones', { warehouseId: otherId, code: 'Z-01' })).id;
  });

  describe('books what was counted, place by place, and keeps it for good', () => {
    let made: Answer['body'];
    let itemId: string;
    let itemCode: unknown;
    let zoneId: string | undefined;

    it('answers with what differs', async () => {
      ({ id: itemId, code: itemCode } = await item());
      zoneId = zones[0];
      await receive({ itemId, quantity: 10, price: 2 }, { itemId, quantity: 4, price: 2, zoneId });
      const answer = await app.client.post(ADJUSTMENTS, {
        warehouseId,
        reason: 'Recuento anual',
        lines: [
          { itemId, countedQuantity: 7 },
          { itemId, countedQuantity: 6, zoneId },
          { itemId, countedQuantity: 0, zoneId: zones[1] },
        ],
      });
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      made = answer.body.data;
      assert.equal(answer.headers.get('location'), `${ADJUSTMENTS}/${made.id}`);
      const place = { itemId, itemCode, batchId: null, batchNum: null };
      assert.deepEqual(made.lines, [
        { ...place, zoneId: null, countedQuantity: 7, previousQuantity: 10, difference: -3, unitCost: 2 },
        { ...place, zoneId, countedQuantity: 6, previousQuantity: 4, difference: 2, unitCost: 2 },
        { ...place, zoneId: zones[1], countedQuantity: 0, previousQuantity: 0, difference: 0, unitCost: null },
      ]);
    });

    it('is shown, listed and on record, and cannot be changed', async () => {
      assert.match(made.code, /^AJ\d{5}$/);
      assert.deepEqual(
        { date: made.date, reason: made.reason, createdBy: made.createdBy },
        { date: TODAY, reason: 'Recuento anual', createdBy: app.userId },
      );
      assert.deepEqual(await places(itemId), [
        [null, null, 7],
        ['A-01', null, 6],
      ]);
      assert.deepEqual((await app.client.get(`${ADJUSTMENTS}/${made.id}`)).body.data, made);
      const { body } = await app.client.get(`${ADJUSTMENTS}?warehouseId=${warehouseId}&reason[contains]=anual`);
      assert.deepEqual(
        body.data.map(({ id }: Row) => id),
        [made.id],
      );
      for (const method of ['PATCH', 'PUT', 'DELETE']) {
        assertProblem(await app.client.request(method, `${ADJUSTMENTS}/${made.id}`, {}), 405, 'method_not_allowed');
      }
      assertProblem(await app.client.get(`${TRANSFERS}/${made.id}`), 404, 'not_found');
      const [log] = (await app.client.get(`/api/audit-logs?entityId=${made.id}`)).body.data;
      assert.deepEqual(
        { action: log.action, entityType: log.entityType, code: log.newValue.code },
        { action: 'CREATE', entityType: 'StockAdjustment', code: made.code },
      );
    });

    it('moves the differences', async () => {
      const movements = (await app.client.get(`/api/stock/movements?operationId=${made.id}`)).body.data;
      assert.deepEqual(
        movements.map(
          ({ zoneId: at, quantity, balance, unitCost, docType, operationType, documentCode, reason }: Row) => ({
            at,
            quantity,
            balance,
            unitCost,
            docType,
            operationType,
            documentCode,
            reason,
          }),
        ),
        [
          {
            at: zoneId,
            quantity: 2,
            balance: 6,
            unitCost: 2,
            docType: null,
            operationType: 'adjustment',
            documentCode: made.code,
            reason: 'Recuento anual',
          },
          {
            at: null,
            quantity: -3,
            balance: 7,
            unitCost: 2,
            docType: null,
            operationType: 'adjustment',
            documentCode: made.code,
            reason: 'Recuento anual',
          },
        ],
      );
    });

    it('tells of each movement', async () => {
      const events = await app.database.readTenant({ tenantId: app.tenantId }, (db) =>
        db('outbox')
          .where({ event: 'stock.movement' })
          .whereRaw(`payload ->> 'document_id' = ?`, [made.id])
          .orderByRaw(`(payload ->> 'quantity')::numeric`)
          .select('payload'),
      );
      assert.deepEqual(
        events.map(({ payload }: { payload: Row }) => [payload.document_type, payload.quantity]),
        [
          ['stock_adjustment', -3],
          ['stock_adjustment', 2],
        ],
      );
    });

    it('moves nothing when nothing differs', async () => {
      // Counted again, nothing differs: it is on record, and nothing moves.
      const again = await created(ADJUSTMENTS, { warehouseId, lines: [{ itemId, countedQuantity: 7 }] });
      assert.equal(again.lines[0]?.difference, 0);
      assert.equal((await app.client.get(`/api/stock/movements?operationId=${again.id}`)).body.pagination.total, 0);
      assert.equal((await app.client.get(`/api/stock/movements?itemId=${itemId}`)).body.pagination.total, 4);
    });
  });

  it('finds batches, new ones too, and clears them away', async () => {
    const { id: itemId } = await item({ batchTracked: true });
    const counted = (lines: object[]) => app.client.post(ADJUSTMENTS, { warehouseId, lines });
    assert.deepEqual(faults(await counted([{ itemId, countedQuantity: 3 }])), [['/lines/0/batchNum', 'required']]);
    const unknown = await counted([{ itemId, batchNum: 'L0', countedQuantity: 0 }]);
    assert.deepEqual(faults(unknown), [['/lines/0/batchNum', 'invalid_reference']]);
    const found = await counted([{ itemId, batchNum: 'L1', expiryDate: '2099-01-31', countedQuantity: 3 }]);
    assert.equal(found.status, 201, JSON.stringify(found.body));
    const batch = await first(`/api/batches?itemId=${itemId}`);
    assert.deepEqual(
      { batchNum: batch.batchNum, expiryDate: batch.expiryDate, status: batch.status, onHand: batch.onHand },
      { batchNum: 'L1', expiryDate: '2099-01-31', status: 'pending', onHand: 3 },
    );
    const other = await counted([{ itemId, batchNum: 'L1', expiryDate: '2098-01-31', countedQuantity: 3 }]);
    assert.deepEqual(faults(other), [['/lines/0/expiryDate', 'wrong_date']]);
    assert.equal((await counted([{ itemId, batchNum: 'L1', countedQuantity: 0 }])).status, 201);
    assert.deepEqual(await places(itemId), []);
  });

  describe('refuses counts that make no sense, and changes nothing', () => {
    let itemId: string;
    let line: { itemId: string; countedQuantity: number };

    it('in what they count and where', async () => {
      ({ id: itemId } = await item());
      const { id: service } = await item({ type: 'service' });
      await receive({ itemId, quantity: 5 });
      line = { itemId, countedQuantity: 1 };
      const bad: [object, string, string][] = [
        [{ lines: [line, { itemId, countedQuantity: 2 }] }, '/lines/1', 'duplicate'],
        [{ zoneId: zones[0], lines: [line, { ...line, zoneId: zones[0] }] }, '/lines/1', 'duplicate'],
        [{ lines: [] }, '/lines', 'too_few'],
        [{ lines: Array.from({ length: 1001 }, () => line) }, '/lines', 'too_many'],
        [{ lines: [{ itemId, countedQuantity: -1 }] }, '/lines/0/countedQuantity', 'out_of_range'],
        [{ lines: [{ itemId, countedQuantity: 0.001 }] }, '/lines/0/countedQuantity', 'too_many_decimals'],
        [{ lines: [{ ...line, zoneId: farZoneId }] }, '/lines/0/zoneId', 'wrong_warehouse'],
        [{ zoneId: farZoneId, lines: [line] }, '/zoneId', 'wrong_warehouse'],
        [{ lines: [{ ...line, zoneId: customerId }] }, '/lines/0/zoneId', 'invalid_reference'],
        [{ warehouseId: customerId, lines: [line] }, '/warehouseId', 'invalid_reference'],
        [{ lines: [{ itemId: customerId, countedQuantity: 1 }] }, '/lines/0/itemId', 'invalid_reference'],
        [{ lines: [{ itemId: service, countedQuantity: 1 }] }, '/lines/0/itemId', 'not_applicable'],
        [{ lines: [{ ...line, batchNum: 'X' }] }, '/lines/0/batchNum', 'not_applicable'],
        [{ date: '1999-01-01', lines: [line] }, '/date', 'no_period'],
      ];
      for (const [body, pointer, code] of bad) {
        const answer = await app.client.post(ADJUSTMENTS, { warehouseId, ...body });
        assertProblem(answer, 422, 'validation_failed');
        assert.deepEqual(faults(answer)[0], [pointer, code], JSON.stringify(answer.body));
      }
    });

    it('in a closed period', async () => {
      await created('/api/periods', { code: 'OLD', name: 'Old', from: '2001-01-01', to: '2001-01-31', status: 'C' });
      const closed = await app.client.post(ADJUSTMENTS, { warehouseId, date: '2001-01-15', lines: [line] });
      assertProblem(closed, 409, 'period_closed');
    });

    it('without zones where these must be named', async () => {
      await flags({ enforceWarehouseZones: true });
      const nowhere = await app.client.post(ADJUSTMENTS, { warehouseId, lines: [line] });
      const far = { warehouseId, toWarehouseId: otherId, lines: [{ itemId, quantity: 1 }] };
      const unsaid = await app.client.post(TRANSFERS, far);
      await flags({});
      assert.deepEqual(faults(nowhere), [['/lines/0/zoneId', 'required']]);
      assert.deepEqual(faults(unsaid), [
        ['/lines/0/zoneId', 'required'],
        ['/lines/0/toZoneId', 'required'],
      ]);
      assert.deepEqual(await places(itemId), [[null, null, 5]]);
    });
  });

  describe('transfers goods to other zones and warehouses at what they cost', () => {
    let itemId: string;
    let itemCode: unknown;
    let sent: Answer['body'];

    it('within a warehouse, and on to another', async () => {
      ({ id: itemId, code: itemCode } = await item({ costMethod: 'fifo' }));
      await receive({ itemId, quantity: 10, price: 1 }, { itemId, quantity: 10, price: 3 });
      const put = await created(TRANSFERS, { warehouseId, toZoneId: zones[0], lines: [{ itemId, quantity: 12 }] });
      assert.match(String(put.code), /^TR\d{5}$/);
      const moved = { batchId: null, batchNum: null };
      assert.deepEqual(put.lines, [
        {
          itemId,
          itemCode,
          quantity: 12,
          zoneId: null,
          toZoneId: zones[0],
          batchNum: null,
          moved: [{ ...moved, zoneId: null, quantity: 12, unitCost: 1.333333 }],
        },
      ]);
      assert.deepEqual(await places(itemId), [
        [null, null, 8],
        ['A-01', null, 12],
      ]);
      // The oldest are the oldest still, wherever they lie.
      sent = await created(TRANSFERS, {
        warehouseId,
        toWarehouseId: otherId,
        toZoneId: farZoneId,
        reason: 'Reparto',
        lines: [
          { itemId, quantity: 4, zoneId: zones[0] },
          { itemId, quantity: 8 },
        ],
      });
      assert.deepEqual(await places(itemId, otherId), [['Z-01', null, 12]]);
      assert.deepEqual(await places(itemId), [['A-01', null, 8]]);
    });

    it('the oldest first, wherever they lie', async () => {
      const movements = (await app.client.get(`/api/stock/movements?operationId=${sent.id}`)).body.data;
      assert.deepEqual(
        movements.map(({ warehouseId: at, quantity, unitCost, operationType, reason }: Row) => [
          at === otherId,
          quantity,
          unitCost,
          operationType,
          reason,
        ]),
        [
          [true, 8, 1.5, 'transfer', 'Reparto'],
          [true, 4, 1, 'transfer', 'Reparto'],
          [false, -8, 1.5, 'transfer', 'Reparto'],
          [false, -4, 1, 'transfer', 'Reparto'],
        ],
      );
    });

    it('and shows what was moved', async () => {
      assert.deepEqual((await app.client.get(`${TRANSFERS}/${sent.id}`)).body.data, sent);
      const { body } = await app.client.get(`${TRANSFERS}?toWarehouseId=${otherId}`);
      assert.deepEqual([body.data[0].id, body.data[0].toZoneId], [sent.id, farZoneId]);
      const totals = (await app.client.get(`/api/stock?groupBy=item&itemId=${itemId}`)).body.data;
      assert.equal(totals[0].onHand, 20);
    });
  });

  it('refuses transfers that cannot be', async () => {
    const { id: itemId, code } = await item();
    await receive({ itemId, quantity: 5 });
    const line = { itemId, quantity: 1 };
    const bad: [object, string, string][] = [
      [{ lines: [line] }, '/lines/0/toZoneId', 'same_place'],
      [
        { toWarehouseId: warehouseId, zoneId: zones[0], toZoneId: zones[0], lines: [line] },
        '/lines/0/toZoneId',
        'same_place',
      ],
      [{ toWarehouseId: otherId, toZoneId: zones[0], lines: [line] }, '/toZoneId', 'wrong_warehouse'],
      [{ toWarehouseId: customerId, lines: [line] }, '/toWarehouseId', 'invalid_reference'],
      [{ toWarehouseId: otherId, lines: [{ itemId, quantity: 0 }] }, '/lines/0/quantity', 'out_of_range'],
      [{ toWarehouseId: otherId, lines: [{ ...line, batchNum: 'X' }] }, '/lines/0/batchNum', 'not_applicable'],
    ];
    for (const [body, pointer, fault] of bad) {
      const answer = await app.client.post(TRANSFERS, { warehouseId, ...body });
      assertProblem(answer, 422, 'validation_failed');
      assert.deepEqual(faults(answer)[0], [pointer, fault], JSON.stringify(answer.body));
    }
    const lines = [line, { itemId, quantity: 5 }];
    const much = await app.client.post(TRANSFERS, { warehouseId, toWarehouseId: otherId, lines });
    assertProblem(much, 409, 'insufficient_stock');
    assert.deepEqual(faults(much), [['/lines/1/quantity', 'insufficient_stock']]);
    assert.match(much.body.detail, new RegExp(`${code}: 4 on hand, 5 needed`));
    assert.deepEqual(await places(itemId), [[null, null, 5]]);
  });

  describe('confirms batches once, corrects their expiry, and says why goods on the shelf cannot be sold', () => {
    let itemId: string;
    let code: unknown;
    let old: string;
    let fresh: string;

    it('sells none before they are confirmed', async () => {
      ({ id: itemId, code } = await item({ batchTracked: true }));
      const batchDetails = [
        { batchNum: 'NEW', quantity: 5, expiryDate: '2099-12-31' },
        { batchNum: 'OLD', quantity: 2, expiryDate: '2001-01-01' },
      ];
      await receive({ itemId, quantity: 7, batchDetails });
      const pending = await sell({ itemId, quantity: 1 });
      assertProblem(pending, 409, 'insufficient_stock');
      assert.match(
        pending.body.detail,
        new RegExp(`${code}: 0 on hand \\(7 more in batches that are not confirmed\\), 1 needed`),
      );
      const named = await sell({ itemId, quantity: 1, batchDetails: [{ batchNum: 'NEW', quantity: 1 }] });
      assert.match(named.body.detail, /5 more in batches that are not confirmed/);
    });

    it('confirms each once', async () => {
      const list = (await app.client.get(`/api/batches?itemId=${itemId}`)).body.data as Row[];
      assert.deepEqual(
        list.map(({ batchNum, status, onHand }) => ({ batchNum, status, onHand })),
        [
          { batchNum: 'OLD', status: 'pending', onHand: 2 },
          { batchNum: 'NEW', status: 'pending', onHand: 5 },
        ],
      );
      [old, fresh] = list.map(({ id }) => `/api/batches/${id}`) as [string, string];
      for (const path of [old, fresh]) {
        const confirmed = await app.client.post(`${path}/confirm`);
        assert.deepEqual([confirmed.status, confirmed.body.data.status], [200, 'confirmed']);
        assertProblem(await app.client.post(`${path}/confirm`), 409, 'invalid_transition');
      }
    });

    it('sells what has not expired', async () => {
      const expired = await sell({ itemId, quantity: 6 });
      assert.match(expired.body.detail, /5 on hand \(2 more in expired batches\), 6 needed/);
      assert.equal((await sell({ itemId, quantity: 5 })).status, 201);
      const soon = `/api/batches?expiryDate[lt]=${TODAY}&onHand[gt]=0&itemId=${itemId}`;
      assert.deepEqual(
        (await app.client.get(soon)).body.data.map(({ batchNum }: Row) => batchNum),
        ['OLD'],
      );
    });

    it('sells what expired once its day is corrected, which is on record', async () => {
      const changed = await app.client.patch(old, { expiryDate: '2099-06-30' }, { 'If-Match': '"2"' });
      assert.deepEqual(
        { status: changed.status, expiryDate: changed.body.data.expiryDate, version: changed.body.data.version },
        { status: 200, expiryDate: '2099-06-30', version: 3 },
      );
      assertProblem(await app.client.patch(old, { expiryDate: null }, { 'If-Match': '"2"' }), 412, 'stale_version');
      assertProblem(await app.client.patch(old, { status: 'pending' }), 422, 'validation_failed');
      assert.equal((await sell({ itemId, quantity: 2 })).status, 201);
      const logs = (await app.client.get(`/api/audit-logs?entityId=${old.slice('/api/batches/'.length)}`)).body
        .data as Row[];
      assert.deepEqual(
        logs.map(({ action, entityType }) => [action, entityType]),
        [
          ['UPDATE', 'Batch'],
          ['UPDATE', 'Batch'],
          ['CREATE', 'Batch'],
        ],
      );
    });
  });

  it('transfers a batch that is named though it is pending or has expired', async () => {
    const { id: itemId } = await item({ batchTracked: true });
    const batchDetails = [{ batchNum: 'OLD', quantity: 4, expiryDate: '2001-01-01' }];
    await receive({ itemId, quantity: 4, batchDetails, zoneId: zones[0] });
    const any = await app.client.post(TRANSFERS, {
      warehouseId,
      toWarehouseId: otherId,
      lines: [{ itemId, quantity: 1 }],
    });
    assertProblem(any, 409, 'insufficient_stock');
    const lines = [{ itemId, quantity: 3, batchNum: 'OLD' }];
    const sent = await created(TRANSFERS, { warehouseId, toWarehouseId: otherId, lines });
    assert.deepEqual(
      sent.lines
        .flatMap(({ moved }) => moved as Row[])
        .map(({ zoneId, batchNum, quantity }) => ({ zoneId, batchNum, quantity })),
      [{ zoneId: zones[0], batchNum: 'OLD', quantity: 3 }],
    );
    assert.deepEqual(await places(itemId), [['A-01', 'OLD', 1]]);
    assert.deepEqual(await places(itemId, otherId), [[null, 'OLD', 3]]);
    const rows = (await app.client.get(`/api/stock?batchNum=OLD&itemId=${itemId}&groupBy=item`)).body.data;
    assert.equal(rows[0].onHand, 4);
  });

  it('keeps to the role: the warehouse counts, transfers and confirms, sales may look', async () => {
    const { id: itemId } = await item();
    const asRole = async (role: string) => {
      const user = { email: `${role}@example.test`, name: role, password: `the ${role} has a long password`, role };
      await created('/api/users', user);
      const { body } = await app.anonymous.post('/api/auth/login', { email: user.email, password: user.password });
      return app.as(body.token);
    };
    const body = { warehouseId, lines: [{ itemId, countedQuantity: 1 }] };
    const [keeper, seller] = [await asRole('warehouse'), await asRole('sales')];
    assert.equal((await keeper.post(ADJUSTMENTS, body)).status, 201);
    assertProblem(await seller.post(ADJUSTMENTS, body), 403, 'forbidden');
    assertProblem(await seller.post(TRANSFERS, body), 403, 'forbidden');
    for (const path of [ADJUSTMENTS, TRANSFERS, '/api/batches', '/api/stock']) {
      assert.equal((await seller.get(path)).status, 200);
    }
  });

  it('exports places and batches', async () => {
    const { id: itemId, code } = await item({ batchTracked: true });
    const batchDetails = [{ batchNum: 'EXP', quantity: 2, expiryDate: '2099-01-01' }];
    await receive({ itemId, quantity: 2, batchDetails, zoneId: zones[1] });
    const csv = await download(app, `/api/stock?itemId=${itemId}&zoneCode=A-02&format=csv&header=names`);
    assert.match(await csv.text(), new RegExp(`${code}.*A-02.*EXP`));
    const batches = await download(app, `/api/batches?batchNum=EXP&format=csv&header=names`);
    assert.match(await batches.text(), /EXP/);
  });

  it('keeps what stock lies in, and what has been counted', async () => {
    const { id: itemId } = await item();
    await receive({ itemId, quantity: 1, zoneId: zones[0] });
    for (const path of [`/api/zones/${zones[0]}`, `/api/warehouses/${otherId}`, `/api/items/${itemId}`]) {
      assertProblem(await app.client.del(path), 409, 'in_use');
    }
    const zone = await created('/api/zones', { warehouseId, code: 'A-99' });
    const lines = [{ itemId, countedQuantity: 0 }];
    await created(ADJUSTMENTS, { warehouseId, zoneId: zone.id, lines });
    const { body } = await app.client.del(`/api/zones/${zone.id}`);
    assert.match(body.detail, /stock operation/);
  });
});
