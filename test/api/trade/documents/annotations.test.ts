/** Custom fields, internal notes and tags change in every state; what is printed does not. */
import assert from 'node:assert/strict';
import { DOC_TYPES, DOCUMENT_TYPES, type DocType } from '../../../../domain/trade/documents/types.ts';
import type { Answer } from '../../../helpers/client.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openTrade } from './trade.ts';

describe('what is noted about documents', function () {
  this.timeout(60_000);
  const app = useApp();
  const trade = use(() => openTrade(app, 1000));
  before(async () => {
    for (const docType of DOC_TYPES) {
      const field = {
        table_name: DOCUMENT_TYPES[docType].entityType,
        field_name: 'color',
        label: 'Color',
        type: 'TEXT',
      };
      assert.equal((await app.client.post('/api/custom-fields', field)).status, 201);
    }
  });

  const create = async (docType: DocType, values: object = {}) => {
    const { path, side } = DOCUMENT_TYPES[docType];
    const partnerId = side === 'sales' ? trade.customerId : trade.supplierId;
    const lines = [{ itemId: trade.itemId, quantity: 2 }];
    const { status, body } = await app.client.post(path, { partnerId, lines, ...values });
    assert.equal(status, 201, JSON.stringify(body));
    return { url: `${path}/${body.data.id}`, ...body.data };
  };
  const act = async (url: string, action: string) => {
    const answer = await app.client.post(`${url}/${action}`, {});
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body.data;
  };
  /** The steps that bring a new document of a type into each of its states. */
  const statusPaths = (docType: DocType): string[][] => {
    const { kind } = DOCUMENT_TYPES[docType];
    if (kind === 'order') return [[], ['close'], ['cancel']];
    return kind === 'invoice' ? [[], ['post'], ['cancel'], ['post', 'cancel']] : [[], ['cancel']];
  };

  const noted = { internalNotes: 'Ask before noon', tags: ['urgent', 'web'], custom_color: 'rojo' };

  for (const docType of DOC_TYPES) {
    for (const steps of statusPaths(docType)) {
      const state = steps.length === 0 ? 'that is new' : `after ${steps.join(' and ')}`;
      describe(`of a ${DOCUMENT_TYPES[docType].name} ${state}`, () => {
        let url: string;
        let id: string;
        let unnoted: { version: number; status: string; updatedAt: string };
        let changed: Answer;
        before(async () => {
          ({ url, id } = await create(docType));
          for (const step of steps) await act(url, step);
          unnoted = (await app.client.get(url)).body.data;
          changed = await app.client.patch(url, { ...unnoted, ...noted });
        });

        it('changes alone, with the version', async () => {
          assert.equal(changed.status, 200, `${unnoted.status}: ${JSON.stringify(changed.body)}`);
          const { updatedAt, ...after } = changed.body.data;
          const { updatedAt: _, ...expected } = { ...unnoted, ...noted, version: unnoted.version + 1 };
          assert.deepEqual(after, expected);
          assert.deepEqual((await app.client.get(url)).body.data, { ...after, updatedAt });
        });

        it('is told in audit and event', async () => {
          const [log] = (await app.client.get(`/api/audit-logs?entityId=${id}&sort=-createdAt&limit=1`)).body.data;
          assert.deepEqual(
            {
              oldValueTags: log.oldValue.tags,
              newValueTags: log.newValue.tags,
              oldValueInternalNotes: log.oldValue.internalNotes,
              newValueInternalNotes: log.newValue.internalNotes,
            },
            {
              oldValueTags: [],
              newValueTags: noted.tags,
              oldValueInternalNotes: null,
              newValueInternalNotes: noted.internalNotes,
            },
          );
          const [event] = await app.database.withTenant({ tenantId: app.tenantId }, (trx) =>
            trx('outbox').where({ entity_id: id }).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(1),
          );
          assert.equal(event.event, 'document.updated');
          assert.deepEqual([...event.payload.changed_fields].sort(), ['custom_color', 'internalNotes', 'tags']);
        });

        it('is emptied; the same once more changes nothing', async () => {
          const emptied = await app.client.patch(url, { internalNotes: null, tags: null, custom_color: null });
          const { internalNotes, tags, custom_color } = emptied.body.data;
          assert.deepEqual(
            { status: emptied.status, internalNotes, tags, custom_color },
            { status: 200, internalNotes: null, tags: [], custom_color: null },
          );
          const same = await app.client.patch(url, emptied.body.data);
          assert.deepEqual([same.status, same.body.data.version], [200, unnoted.version + 2]);
        });
      });
    }
  }

  it('keeps what is printed, and says what can change', async () => {
    for (const docType of DOC_TYPES) {
      const { kind } = DOCUMENT_TYPES[docType];
      const { url } = await create(docType);
      const ends = { quotation: 'issue', order: 'close', delivery_note: null, invoice: 'post' } as const;
      const end = ends[kind];
      if (end !== null) await act(url, end);
      const before = (await app.client.get(url)).body.data;
      const refused = await app.client.patch(url, { notes: 'later', tags: ['x'] });
      assertProblem(refused, 409, 'invalid_transition');
      assert.deepEqual(
        refused.body.errors.map(({ pointer }: { pointer: string }) => pointer),
        ['/notes'],
      );
      const writable =
        docType === 'PINV'
          ? 'internalNotes, tags, customsDocument, custom fields'
          : docType === 'SINV'
            ? 'internalNotes, tags, dunningPaused, custom fields'
            : 'internalNotes, tags, custom fields';
      assert.ok(refused.body.detail.includes(writable), refused.body.detail);
      const lines = [{ ...before.lines[0], quantity: 3 }];
      assertProblem(await app.client.patch(url, { ...before, lines }), 409, 'invalid_transition');
      assert.deepEqual((await app.client.get(url)).body.data, before);
    }
  });

  it('changes in a closed period, and with the version that was seen', async () => {
    const [period] = (await app.client.get('/api/periods?sort=from&limit=1')).body.data;
    const { url, periodId } = await create('PDN', { date: period.from });
    const close = await app.client.patch(`/api/periods/${periodId}`, { status: 'C' });
    assert.equal(close.status, 200, JSON.stringify(close.body));
    const changed = await app.client.patch(url, { tags: ['seen'] }, { 'If-Match': '"1"' });
    assert.deepEqual([changed.status, changed.body.data?.tags], [200, ['seen']], JSON.stringify(changed.body));
    assertProblem(await app.client.patch(url, { tags: [] }, { 'If-Match': '"1"' }), 412, 'stale_version');
    await app.client.patch(`/api/periods/${periodId}`, { status: 'O' });
  });

  it('is given at creation, filtered by, and not copied', async () => {
    const tags = ['norte', 'feria'];
    const { url, id } = await create('SO', { tags, internalNotes: 'Of the fair' });
    const found = async (filter: string) => {
      const { status, body } = await app.client.get(`${DOCUMENT_TYPES.SO.path}?${filter}`);
      assert.equal(status, 200, JSON.stringify(body));
      return body.data.map((row: { id: string }) => row.id);
    };
    for (const filter of ['tags=norte', 'tags[in]=sur,feria', 'tags[contains]=feria', 'internalNotes[contains]=fair']) {
      assert.deepEqual(await found(filter), [id], filter);
    }
    assert.deepEqual(await found('tags=sur'), []);
    assert.ok(!(await found('tags[empty]=true')).includes(id));
    assert.deepEqual(await found('tags[empty]=false'), [id]);
    for (const next of ['duplicate', 'deliver']) {
      const { url: from } = await create('SO', { tags, internalNotes: 'Of the fair' });
      const { status, body } = await app.client.post(`${from}/${next}`);
      assert.deepEqual(
        { status, tags: body.data?.tags, internalNotes: body.data?.internalNotes },
        { status: 201, tags: [], internalNotes: null },
        next,
      );
    }
    for (const bad of [['a', 'a'], [''], ['x'.repeat(51)], 'a']) {
      assertProblem(await app.client.patch(url, { tags: bad }), 422, 'validation_failed');
    }
  });
});
