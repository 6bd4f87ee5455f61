import assert from 'node:assert/strict';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';

const PATH = '/api/config/bank-accounts';
const IBANS = ['ES9121000418450200051332', 'ES7921000813610123456789', 'DE89370400440532013000'] as const;

describe('api: bank accounts of the company', () => {
  const app = useApp({}, { each: true });

  describe('keeps IBAN and BIC checked and in one form', () => {
    it('and answers them so', async () => {
      const made = await app.client.post(PATH, {
        name: 'Principal',
        iban: ' es91 2100 0418 4502 0005 1332',
        bank_name: 'Caixa',
        bic: 'caixesbb',
      });
      assert.equal(made.status, 201);
      const { data } = made.body;
      assert.deepEqual(Object.keys(data).sort(), [
        ...[
          'account_id',
          'bank_name',
          'bic',
          'created_at',
          'currency',
          'default_cost_center_id',
          'default_project_id',
          'iban',
          'id',
          'is_default',
          'name',
          'statement_columns',
          'updated_at',
          'version',
        ],
      ]);
      assert.deepEqual(
        { iban: data.iban, bank_name: data.bank_name, bic: data.bic, is_default: data.is_default },
        { iban: IBANS[0], bank_name: 'Caixa', bic: 'CAIXESBB', is_default: true },
      );
      assert.equal(made.headers.get('location'), `${PATH}/${data.id}`);
    });

    it('and refuses what is wrong, or there already', async () => {
      const { data } = (await app.client.post(PATH, { name: 'Principal', iban: IBANS[0] })).body;
      const again = await app.client.post(PATH, { name: 'Otra', iban: IBANS[0].toLowerCase() });
      assertProblem(again, 409, 'duplicate');
      assert.equal(again.body.errors[0].pointer, '/iban');
      const bad: [object, string][] = [
        [{ name: 'X', iban: 'ES9121000418450200051333' }, '/iban'],
        [{ name: 'X' }, '/iban'],
        [{ iban: IBANS[1] }, '/name'],
        [{ name: 'X', iban: IBANS[1], bic: 'CAIXESB' }, '/bic'],
        [{ name: 'X', iban: IBANS[1], bankName: 'Caixa' }, '/bankName'],
      ];
      for (const [body, pointer] of bad) {
        const answer = await app.client.post(PATH, body);
        assertProblem(answer, 422, 'validation_failed');
        assert.equal(answer.body.errors[0].pointer, pointer);
      }
      const wrong = await app.client.patch(`${PATH}/${data.id}`, { iban: 'ES00' });
      assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [422, '/iban']);
    });

    it('and changes, finds and deletes accounts', async () => {
      const { data } = (await app.client.post(PATH, { name: 'Principal', iban: IBANS[0] })).body;
      const changed = await app.client.patch(`${PATH}/${data.id}`, { bic: null, bank_name: 'CaixaBank' });
      assert.deepEqual(
        { bic: changed.body.data.bic, bank_name: changed.body.data.bank_name, version: changed.body.data.version },
        { bic: null, bank_name: 'CaixaBank', version: 2 },
      );
      const found = await app.client.get(`${PATH}?q=caixab&is_default=true&sort=-bank_name`);
      assert.equal(found.body.pagination.total, 1);
      assertProblem(await app.client.get(`${PATH}?isDefault=true`), 400, 'invalid_parameter');
      const { body } = await app.client.get(`/api/audit-logs?entityId=${data.id}&action=UPDATE`);
      assert.equal(body.data[0].newValue.bank_name, 'CaixaBank');
      assert.equal((await app.client.del(`${PATH}/${data.id}`)).status, 204);
      assert.equal((await app.client.get(`${PATH}/${data.id}`)).status, 404);
    });
  });

  it('has one default, which a new one takes over, also of several at once', async () => {
    const made = await Promise.all(
      IBANS.map((iban, index) => app.client.post(PATH, { name: `${index}`, iban, is_default: true })),
    );
    assert.deepEqual(
      made.map(({ status }) => status),
      [201, 201, 201],
    );
    const defaults = async () =>
      (await app.client.get(`${PATH}?is_default=true`)).body.data.map(({ id }: { id: string }) => id) as string[];
    assert.equal((await defaults()).length, 1);
    const next = made.map(({ body }) => body.data.id as string).find((id) => id !== made[0]?.body.data.id) as string;
    assert.equal((await app.client.patch(`${PATH}/${next}`, { is_default: true })).status, 200);
    assert.deepEqual(await defaults(), [next]);
  });

  it('is the business of owners and administrators; accountants read it', async () => {
    const { body } = await app.client.post(PATH, { name: 'Principal', iban: IBANS[0] });
    const client = async (role: string) => {
      const key = await app.client.post('/api/api-keys', { name: role, role });
      return app.as(key.body.data.key);
    };
    const accountant = await client('accountant');
    assert.equal((await accountant.get(`${PATH}/${body.data.id}`)).status, 200);
    assertProblem(await accountant.post(PATH, { name: 'X', iban: IBANS[1] }), 403, 'forbidden');
    assertProblem(await (await client('sales')).get(PATH), 403, 'forbidden');
    assert.equal((await (await client('admin')).post(PATH, { name: 'X', iban: IBANS[1] })).status, 201);
  });
});
