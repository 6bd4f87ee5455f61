import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  creditTransferMessage,
  creditTransferRules,
  TRANSFER_VERSIONS,
} from '../../../../domain/bank/sepa/credit-transfer.ts';
import { creditorId } from '../../../../domain/bank/sepa/creditor-id.ts';
import {
  DEBIT_SCHEMES,
  DEBIT_SEQUENCES,
  DEBIT_VERSIONS,
  directDebitMessage,
  directDebitRules,
} from '../../../../domain/bank/sepa/direct-debit.ts';
import { findFaults } from '../../../../domain/bank/sepa/rules.ts';
import { sepaId, sepaText } from '../../../../domain/bank/sepa/text.ts';
import { type Element, ElementReader, find, textAt } from '../../../../domain/bank/statements/xml.ts';
import { decimal, parseDecimal, sum } from '../../../../domain/money.ts';
import { type Node, serialize } from '../../../../domain/xml.ts';

const IBAN = 'ES9121000418450200051332';
const HEADER = {
  messageId: 'M-1',
  createdAt: '2026-01-15T10:00:00',
  initiator: { name: 'Frutas García', id: 'B12345674' },
  date: '2026-01-20',
};
const own = { name: 'Frutas García', iban: IBAN, bic: null };

const amounts = fc.integer({ min: 1, max: 99_999_999_999 }).map((cents) => decimal(cents).div(100).toFixed());
const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }).map((text) => `A${text}`);
const parties = fc.record({ name: words, iban: fc.constant(IBAN), bic: fc.constantFrom(null, 'CAIXESBBXXX') });
const transfers = fc.array(
  fc.record({ endToEndId: words, amount: amounts, creditor: parties, text: fc.string({ maxLength: 300 }) }),
  { minLength: 1, maxLength: 8 },
);
const debits = fc.array(
  fc.record({
    endToEndId: words,
    amount: amounts,
    debtor: parties,
    text: fc.string({ maxLength: 300 }),
    scheme: fc.constantFrom(...DEBIT_SCHEMES),
    sequence: fc.constantFrom(...DEBIT_SEQUENCES),
    mandate: fc.record({ id: words, signedOn: fc.constant('2025-12-01') }),
  }),
  { minLength: 1, maxLength: 8 },
);

/** The message in the text, by a parser that knows nothing of how it was written. */
function parsed(text: string): Element {
  let root: Element | undefined;
  const reader = new ElementReader(2, {
    element: (_, element) => {
      root = element;
    },
  });
  reader.push(text);
  reader.end();
  return root ?? assert.fail('no message');
}

const namedChildren = (element: Element | undefined, name: string) =>
  element?.children.filter((child) => child.name === name) ?? [];
const total = (elements: readonly (Element | undefined)[]) =>
  sum(elements.map((element) => parseDecimal(element?.text ?? '0'))).toFixed(2);

describe('SEPA messages', () => {
  it('satisfy the rules and sums of pain.001, whatever the names and texts', () => {
    fc.assert(
      fc.property(transfers, fc.constantFrom(...TRANSFER_VERSIONS), (all, version) => {
        const message = creditTransferMessage({ ...HEADER, version, debtor: own, transfers: all });
        assert.deepEqual(findFaults(message, creditTransferRules(version)), []);
        const root = parsed(serialize(message));
        const payment = find(root, 'PmtInf');
        const given = namedChildren(payment, 'CdtTrfTxInf').map((one) => find(one, 'Amt/InstdAmt'));
        assert.equal(textAt(root, 'GrpHdr/NbOfTxs'), String(all.length));
        assert.equal(textAt(root, 'GrpHdr/CtrlSum'), total(given));
        assert.equal(textAt(payment, 'CtrlSum'), total(given));
        assert.deepEqual(
          given.map((one) => one?.text),
          all.map(({ amount }) => amount),
        );
      }),
    );
  });

  it('satisfy the rules and sums of pain.008, with separate schemes and sequences', () => {
    fc.assert(
      fc.property(debits, fc.constantFrom(...DEBIT_VERSIONS), (all, version) => {
        const message = directDebitMessage({
          ...HEADER,
          version,
          creditor: own,
          creditorId: creditorId('ES', 'B12345674'),
          debits: all,
        });
        assert.deepEqual(findFaults(message, directDebitRules(version)), []);
        const root = parsed(serialize(message));
        const groups = namedChildren(root, 'PmtInf');
        const kinds = groups.map(
          (group) => `${textAt(group, 'PmtTpInf/LclInstrm/Cd')}-${textAt(group, 'PmtTpInf/SeqTp')}`,
        );
        assert.deepEqual(kinds.sort(), [...new Set(all.map(({ scheme, sequence }) => `${scheme}-${sequence}`))].sort());
        for (const group of groups) {
          assert.equal(
            textAt(group, 'CtrlSum'),
            total(namedChildren(group, 'DrctDbtTxInf').map((one) => find(one, 'InstdAmt'))),
          );
        }
        assert.equal(textAt(root, 'GrpHdr/CtrlSum'), sum(all.map(({ amount }) => amount)).toFixed(2));
      }),
    );
  });

  it('report each violation of a rule with its place', () => {
    const transfer = { endToEndId: 'E1', amount: '10', creditor: own, text: '' } as const;
    const faults = (change: object, header: object = {}) =>
      findFaults(
        creditTransferMessage({
          ...HEADER,
          version: '03',
          debtor: own,
          transfers: [transfer, { ...transfer, ...change }],
          ...header,
        }),
        creditTransferRules('03'),
      ).map(({ path }) => path.replace('Document/CstmrCdtTrfInitn/', ''));
    assert.deepEqual(faults({}), []);
    assert.deepEqual(faults({ amount: '0' }), ['PmtInf/CdtTrfTxInf[2]/Amt/InstdAmt']);
    assert.deepEqual(faults({ amount: '1000000000' }), ['PmtInf/CdtTrfTxInf[2]/Amt/InstdAmt']);
    assert.deepEqual(faults({ amount: '0.001' }), ['PmtInf/CdtTrfTxInf[2]/Amt/InstdAmt']);
    assert.deepEqual(faults({ endToEndId: '漢字' }), ['PmtInf/CdtTrfTxInf[2]/PmtId/EndToEndId']);
    assert.deepEqual(faults({ creditor: { ...own, name: '漢字' } }), ['PmtInf/CdtTrfTxInf[2]/Cdtr/Nm']);
    assert.deepEqual(faults({ creditor: { ...own, bic: 'x' } }), ['PmtInf/CdtTrfTxInf[2]/CdtrAgt/FinInstnId/BIC']);
    assert.deepEqual(faults({}, { date: '20.1.2026' }), ['PmtInf/ReqdExctnDt']);
    assert.deepEqual(faults({}, { transfers: [] }), ['GrpHdr/NbOfTxs', 'PmtInf/NbOfTxs', 'PmtInf/CdtTrfTxInf']);
    const whole = creditTransferMessage({ ...HEADER, version: '03', debtor: own, transfers: [transfer] });
    const [initiation] = whole.content as readonly Node[];
    const parts = initiation?.content as readonly Node[];
    const withParts = (content: readonly Node[]) =>
      findFaults({ ...whole, content: [{ ...(initiation as Node), content }] }, creditTransferRules('03'));
    const header = parts.slice(0, 1);
    assert.deepEqual(withParts([...header, ...parts]), [
      { path: 'Document/CstmrCdtTrfInitn/GrpHdr', message: 'occurs 2 times' },
    ]);
    const [missing] = withParts(parts.slice(1));
    assert.deepEqual(missing, { path: 'Document/CstmrCdtTrfInitn/GrpHdr', message: 'is missing' });
    const [message, rules] = [
      creditTransferMessage({ ...HEADER, version: '09', debtor: own, transfers: [transfer] }),
      creditTransferRules('03'),
    ];
    assert.ok(findFaults(message, rules).length > 0, 'versions differ');
  });

  it('contain only characters that every bank accepts', () => {
    assert.equal(sepaText('Ñandú & Søn_Ærø ß €5 «x»', 70), 'Nandu + Son-AEro ss EUR5 x');
    assert.equal(sepaText('x'.repeat(200), 140).length, 140);
    assert.equal(sepaId('//F/2026//7/'), 'F/2026/7');
    assert.equal(sepaText('/Alquiler//marzo/', 140), 'Alquiler/marzo');
    // The blanks between slashes are at the beginning once the slashes are gone; the fifth sign of the last is where it is cut.
    assert.deepEqual(
      ['/ /&', '&/ /', '/ / /', '/§/&', 'abcd/e'].map((text) => sepaText(text, 5)),
      ['+', '+', '', '+', 'abcd'],
    );
  });

  it('contain no text that begins or ends with a slash or has two in a row', () => {
    const signs = fc.constantFrom('/', '//', ' ', '&', '§', '\u0301', 'é', 'a', '-', '€', '漢');
    const made = fc.oneof(
      fc.array(signs, { maxLength: 60 }).map((some) => some.join('')),
      fc.string({ unit: 'grapheme' }),
    );
    fc.assert(
      fc.property(made, fc.integer({ min: 1, max: 40 }), (text, max) => {
        const plain = sepaText(text, max);
        assert.match(plain, /^[a-zA-Z0-9/\-?:().,'+ ]*$/);
        assert.ok(plain.length <= max);
        assert.doesNotMatch(plain, /^[/ ]|\/\/|[/ ]$/);
      }),
      { numRuns: 20_000 },
    );
  });

  it('contain creditor identifiers with valid check digits', () => {
    // Moved to the end and read as a number, they leave 1 when divided by 97, as an IBAN does.
    for (const taxId of ['B12345674', '12345678Z', 'X2482300W']) {
      const id = creditorId('ES', taxId, '001');
      assert.match(id, new RegExp(`^ES\\d\\d001${taxId}$`));
      const digits = [...`${taxId}${id.slice(0, 4)}`].map((sign) => Number.parseInt(sign, 36)).join('');
      assert.equal(BigInt(digits) % 97n, 1n);
    }
  });
});
