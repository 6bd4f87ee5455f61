import assert from 'node:assert/strict';
import { BOXES_111, model111 } from '../../../../domain/ledger/tax-returns/model111.ts';
import { isWork, type WithheldFrom, withheldKey } from '../../../../domain/ledger/tax-returns/withheld.ts';

function recipient(members: Partial<WithheldFrom>): WithheldFrom {
  const nothing = { amount: '0', withheld: '0' } as const;
  const cash = { amount: '1000', withheld: '150' } as const;
  const who = {
    key: 'A',
    subkey: null,
    employeeId: null,
    partnerId: null,
    name: 'Ana',
    nif: null,
    province: null,
  } as const;
  return { ...who, cash, inKind: nothing, contributions: '0', ...members };
}

describe('model 111', () => {
  it('counts recipients and adds up their payments', () => {
    const boxes = model111([
      recipient({ employeeId: 'a', inKind: { amount: '100', withheld: '15' } }),
      recipient({ employeeId: 'b', cash: { amount: '900.5', withheld: '0' } }),
      recipient({ key: 'E', partnerId: 'c', cash: { amount: '200', withheld: '70' } }),
      recipient({ key: 'G', partnerId: 'd' }),
      recipient({ key: 'H', partnerId: 'd', cash: { amount: '500', withheld: '10' } }),
    ]);
    const said = Object.entries(boxes).filter(([, value]) => value !== '0');
    assert.deepEqual(Object.fromEntries(said), {
      '01': '3',
      '02': '2100.5',
      '03': '220',
      '04': '1',
      '05': '100',
      '06': '15',
      '07': '1',
      '08': '1500',
      '09': '160',
      '28': '395',
      '30': '395',
    });
    assert.deepEqual(Object.keys(model111([])).toSorted(), BOXES_111.toSorted());
  });

  it('declares percentages of wages and activities, but not of rents', () => {
    assert.deepEqual(
      ['15', '7.00', '2', '1', '35', '19', '24', '0'].map((rate) => withheldKey(rate as '15')),
      [...['G', 'G', 'H', 'H', 'E'], ...[null, null, null]],
    );
    assert.deepEqual((['A', 'E', 'G', 'H'] as const).map(isWork), [true, true, false, false]);
  });
});
