import assert from 'node:assert/strict';
import {
  isSelective,
  RuleBook,
  type RuleConditions,
  type RuledLine,
  textLength,
} from '../../../../domain/bank/statements/rules.ts';

const ANY: RuleConditions = {
  bankAccountId: null,
  text: null,
  direction: null,
  amountFrom: null,
  amountTo: null,
  counterparty: null,
};

function line(values: Partial<RuledLine> = {}): RuledLine {
  return {
    amount: '-12.1',
    text: 'Comisión de mantenimiento',
    reference: null,
    counterpartyName: null,
    counterpartyIban: null,
    bankAccountId: 'A',
    ...values,
  };
}

const fits = (conditions: Partial<RuleConditions>, values: Partial<RuledLine> = {}) =>
  new RuleBook([{ ...ANY, ...conditions }]).ruleFor(line(values)) !== undefined;

describe('bank rules', () => {
  it('match a text at the beginning of a word, ignoring case and accents', () => {
    assert.ok(fits({ text: 'COMISION' }));
    assert.ok(fits({ text: 'mantenimiento' }));
    assert.ok(fits({ text: 'comisión de mant' }));
    assert.ok(fits({ text: 'COMISION' }, { text: 'Comisiones-custodia' }));
    assert.ok(fits({ text: 'iva 21' }, { text: 'IVA: 21%' }));
    assert.ok(!fits({ text: 'iva' }, { text: 'Préstamo privado' }), 'not within a word');
    assert.ok(!fits({ text: 'mision' }));
  });

  it('search text, reference and counterparty, but not across them', () => {
    assert.ok(fits({ text: 'endesa' }, { counterpartyName: 'ENDESA ENERGÍA SAU' }));
    assert.ok(fits({ text: 'REC-7' }, { reference: 'rec 7' }));
    assert.ok(!fits({ text: 'xyz' }, { text: null }));
  });

  it('check the direction and the bounds of the amount without its sign', () => {
    const bounds = { text: 'comision', amountFrom: '10', amountTo: '12.10' } as const;
    for (const [amount, expected] of [
      ['-12.1', true],
      ['-12.11', false],
      ['-10', true],
      ['-9.99', false],
      ['12.1', true],
    ] as const) {
      assert.equal(fits(bounds, { amount }), expected, amount);
    }
    assert.ok(fits({ text: 'comision', direction: 'out' }));
    assert.ok(!fits({ text: 'comision', direction: 'in' }));
    assert.ok(!fits({ text: 'comision' }, { amount: '0' }), 'a line of nothing');
  });

  it('recognize a partner by IBAN, or by all words of its name', () => {
    const counterparty = { name: 'Caja Rural, S.L.', iban: 'ES1' };
    assert.ok(fits({ counterparty }, { counterpartyIban: 'ES1', text: null }));
    assert.ok(fits({ counterparty }, { counterpartyName: 'CAJA RURAL DEL SUR' }));
    assert.ok(fits({ counterparty }, { text: 'Recibo caja rural' }));
    assert.ok(!fits({ counterparty }, { counterpartyName: 'Caja Urbana' }));
    assert.ok(!fits({ counterparty: { name: 'S.L.', iban: null } }, { text: 'S.L.' }), 'a name without words');
  });

  it('apply only to lines of their account', () => {
    assert.ok(fits({ text: 'comision', bankAccountId: 'A' }));
    assert.ok(!fits({ text: 'comision', bankAccountId: 'B' }));
  });

  it('apply in order', () => {
    const rules = [
      { ...ANY, text: 'nomina', name: 1 },
      { ...ANY, text: 'comision', name: 2 },
      { ...ANY, text: 'mantenimiento', name: 3 },
    ];
    assert.equal(new RuleBook(rules).ruleFor(line())?.name, 2);
  });

  it('must be selective: by a text of three letters or digits, a partner, or one amount', () => {
    const none = { text: null, counterparty: null, amountFrom: null, amountTo: null };
    assert.ok(!isSelective(none));
    assert.ok(!isSelective({ ...none, amountFrom: '0', amountTo: '1000000' }));
    assert.ok(isSelective({ ...none, amountFrom: '12.10', amountTo: '12.1' }));
    assert.ok(isSelective({ ...none, text: 'x' }));
    assert.ok(isSelective({ ...none, counterparty: {} }));
    assert.deepEqual(['%%%', ' é-1', 'IVA'].map(textLength), [0, 2, 3]);
  });
});
