/**
 * Writes model 420 as the XML that the printing module of the Agencia Tributaria Canaria checks and turns into the file that is presented
 * (schema Modelo420DataSet): amounts in cents, without a point, of at least three digits.
 */
import { type DecimalInput, decimal } from '../../money.ts';
import { type Node, node, serialize } from '../../xml.ts';
import type { BoxValues } from './boxes.ts';
import { writeText } from './fixed-width.ts';
import { OUTPUT_420, PERCENTS_420 } from './model420.ts';
import type { TaxPeriod } from './periods.ts';

export interface File420 {
  readonly period: TaxPeriod;
  readonly boxes: BoxValues;
  readonly type: 'I' | 'C' | 'D' | 'N';
  readonly company: {
    readonly name: string;
    readonly taxId: string;
    readonly address: string;
    readonly zipCode: string;
    readonly phone: string | null;
  };
  /** Kind of street in two letters: CL, AV, PZ. */
  readonly streetType: string;
  /** Code of the municipality (INE): 35016. */
  readonly municipality: string;
  /** Whether the company is under the cash basis. */
  readonly cashBasis: boolean;
  /** The agency's number of the return of the quarter that this one complements. */
  readonly receiptNumber: string | null;
  /** The Spanish IBAN to which is refunded; null if nothing is. */
  readonly account: string | null;
}

/** The first line of a file in the characters that the module reads. */
const DECLARATION_LATIN1 = '<?xml version="1.0" encoding="ISO-8859-1"?>\n';
const MAX_TEXT = 200;

type Pair = readonly [element: string, base: string | null, quota: string];

const CHARGED: readonly Pair[] = [
  ['OIN', '19', '20'],
  ['MBC', '21', '22'],
  ['CRV', '23', '24'],
];
const DEDUCTED: readonly Pair[] = [
  ['OIC', '26', '27'],
  ['OII', '28', '29'],
  ['IMC', '30', '31'],
  ['IMI', '32', '33'],
  ['RED', '34', '35'],
  ['CRA', null, '36'],
  ['RBI', null, '37'],
  ['RIA', null, '38'],
  ['RPP', null, '39'],
];
const ON_CASH_BASIS: readonly Pair[] = [
  ['IEB', '48', '49'],
  ['IAB', '50', '51'],
];

/** Builds the file in ISO-8859-1 characters. A quarter without any amount is declared to be one without activity. */
export function file420(given: File420): string {
  const { period, boxes, receiptNumber } = given;
  const isFilled = Object.entries(boxes).some(([box, value]) => !PERCENTS_420.has(box) && !decimal(value).eq(0));
  const complementary = receiptNumber === null ? {} : { COM: 'X', NJA: receiptNumber };
  const root = { MOD: '420', ANY: String(period.year), PER: period.period, ...complementary };
  const sections = isFilled ? amounts(given) : [node('RES', [], { TIP: 'S' })];
  return serialize(node('DEC', [identity(given), ...sections], root), DECLARATION_LATIN1);
}

function identity({ company, streetType, municipality, boxes, cashBasis }: File420): Node {
  const text = (value: string) => writeText(value, MAX_TEXT).trimEnd();
  const { name, taxId, address, zipCode, phone } = company;
  const place = { POP: zipCode.slice(0, 2), CMU: municipality, CP: zipCode, PAI: 'ES' };
  const street = { SVP: streetType, NVP: text(address) };
  const person = { NIF: taxId, NRS: text(name), ...street, ...(phone === null ? {} : { TEL: phone }), ...place };
  const yes = (is: boolean) => (is ? 'S' : 'N');
  const buysOnCashBasis = isAny(boxes, ['50', '51']);
  const answers = { ACO: 'N', RECC: yes(cashBasis), DRECC: yes(buysOnCashBasis), EOP: 'N', ACR: 'N' };
  return node('IDE', [node('OTP', [], person)], answers);
}

function amounts({ boxes, type, account }: File420): Node[] {
  const of = (box: string) => cents(boxes[box] ?? '0');
  const lines = OUTPUT_420.filter(({ base, quota }) => isAny(boxes, [base, quota])).map(({ base, rate, quota }) =>
    node('DEV', [], { BAS: of(base), TIP: of(rate), CUO: of(quota) }),
  );
  const liquidation = { DIF: of('41'), RCU: of('42'), CPA: of('43'), DAC: of('44'), RLI: of('45') };
  // A quarter whose result is nothing, but that has amounts, counts as one to compensate.
  const result = { TIP: type === 'N' ? 'C' : type, IMP: cents(decimal(boxes['45'] ?? '0').abs()) };
  return [
    node('IGI_DEV', [...lines, ...pairs(boxes, CHARGED)], { TOT: of('25') }),
    node('IGI_DED', pairs(boxes, DEDUCTED), { TOT: of('40') }),
    node('LIQ', [], liquidation),
    node('RES', [], { ...result, ...(account === null ? {} : { IBAN: account }) }),
    node('ADI', [], { EOA: of('46'), ODD: of('47') }),
    node('RCC', pairs(boxes, ON_CASH_BASIS)),
  ];
}

/** Elements of the bases and quotas that are not zero. */
function pairs(boxes: BoxValues, all: readonly Pair[]): Node[] {
  return all
    .filter(([, base, quota]) => isAny(boxes, base === null ? [quota] : [base, quota]))
    .map(([element, base, quota]) => {
      const tax = { CUO: cents(boxes[quota] ?? '0') };
      return node(element, [], base === null ? tax : { BAS: cents(boxes[base] ?? '0'), ...tax });
    });
}

function isAny(boxes: BoxValues, names: readonly string[]): boolean {
  return names.some((box) => !decimal(boxes[box] ?? '0').eq(0));
}

function cents(value: DecimalInput): string {
  const whole = decimal(value).times(100);
  return `${whole.lt(0) ? '-' : ''}${whole.abs().toFixed(0).padStart(3, '0')}`;
}
