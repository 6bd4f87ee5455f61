import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readableId, workflowIdParts } from '../../../../workflows/platform/temporal/contract.ts';

const TENANT = '0192f0c4-5b1a-7c3e-9d2f-8a6b4c1d7e90';

describe('ids of workflows in Temporal', () => {
  it('begin with the short name and the kind, and are always the same', () => {
    const id = readableId(`${TENANT}/document/0192f0c4-5b1a-7c3e-9d2f-8a6b4c1d7e91`, 'frutas-garci');
    assert.equal(id, 'frutas-garci/document/347hq4phb7wscbsq');
  });

  it('are those of the contracts for companies without a short name, and for work of no company', () => {
    assert.equal(readableId(`${TENANT}/pdf/x/2`, null), `${TENANT}/pdf/x/2`);
    assert.equal(readableId('maintenance/lifecycles', 'frutas-garci'), 'maintenance/lifecycles');
    assert.equal(
      readableId('frutas-garci/document/t4jhpyxk23kb2ebz', 'other'),
      'frutas-garci/document/t4jhpyxk23kb2ebz',
    );
  });

  it('differ wherever those of the contracts do', () => {
    const rest = fc.string({ minLength: 1 }).filter((text) => !text.includes('\n'));
    const distinct = fc.uniqueArray(rest, { minLength: 2, maxLength: 20 });
    fc.assert(
      fc.property(distinct, (rests) => {
        const ids = rests.map((one) => readableId(`${TENANT}/webhook/${one}`, 'abc'));
        assert.equal(new Set(ids).size, rests.length);
        for (const id of ids) assert.match(id, /^abc\/webhook\/[0-9a-z]{16}$/);
      }),
    );
  });

  it('are taken apart only where a contract made them', () => {
    assert.deepEqual(workflowIdParts(`${TENANT}/webhook/a/b`), { tenantId: TENANT, kind: 'webhook', rest: 'a/b' });
    assert.equal(workflowIdParts('frutas-garci/document/x'), null);
  });
});
