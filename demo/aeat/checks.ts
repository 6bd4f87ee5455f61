/** The agency's checks of a record (AEAT, validations and errors, version 1.2.2): those that an invoicing program meets most. */
import { createHash } from 'node:crypto';
import { annulmentText, registrationText } from '../../domain/ledger/verifactu/hash.ts';
import type { Detail, Recorded, Registration } from '../../domain/ledger/verifactu/records.ts';
import { type Decimal, decimal, sum } from '../../domain/money.ts';

export interface Situation {
  /** Tax id of the company that sends. */
  readonly sender: string;
  readonly incident: boolean;
  /** Whether an earlier record of the chain has arrived. */
  readonly hasEarlier: boolean;
  readonly now: Date;
  /** Tax ids that the agency does not know. */
  readonly unknown: ReadonlySet<string>;
}

const RATES = new Set(['0', '4', '10', '21']);
const LARGE = '100000000';
const MARGIN_MS = 240_000;
const TOLERANCE = '10';
const SIMPLIFIED_LIMIT = '3010';
const RECTIFYING = /^R[1-5]$/;

/** The code of the first error for which a record is refused; null for none. */
export function refusal(recorded: Recorded, situation: Situation): string | null {
  const { issuer, number, date } = recorded.record.invoice;
  if (issuer !== situation.sender) return '1108';
  if (/["'<>=]/.test(number)) return '1287';
  if (!/^[ -~]{1,60}$/.test(number)) return '1130';
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/.test(recorded.link.generatedAt)) return '1244';
  if (recorded.kind === 'annulment') return null;
  const { record } = recorded;
  if (date > spanishDay(situation.now)) return '1112';
  if (date < '2024-10-28') return '1152';
  return (
    kindRefusal(record) ??
    recipientRefusal(record, situation) ??
    first(record.details, (one) => detailRefusal(record, one))
  );
}

function kindRefusal(record: Registration): string | null {
  const isRectifying = RECTIFYING.test(record.type);
  if (isRectifying && record.rectification === undefined) return '1114';
  if (!isRectifying && record.rectification !== undefined) return '1115';
  if (!isRectifying && record.rectified !== undefined) return '1117';
  if (record.type !== 'F3' && record.substituted !== undefined) return '1116';
  if (record.rectification === 'S' && record.replaced === undefined) return '1118';
  if (record.rectification !== 'S' && record.replaced !== undefined) return '1119';
  if (record.rejected !== undefined && record.correction !== 'S') return record.rejected === 'X' ? '1153' : '1161';
  const isLarge = decimal(record.total).abs().gte(LARGE);
  if (isLarge !== (record.large === 'S')) return isLarge ? '1139' : '1138';
  return null;
}

function recipientRefusal(
  { type, recipients, details, withoutRecipient }: Registration,
  { sender, unknown }: Situation,
): string | null {
  const isSimplified = type === 'F2' || type === 'R5';
  if (!isSimplified && recipients === undefined) return '1189';
  if (isSimplified && recipients !== undefined) return '1190';
  if (type === 'F2' && withoutRecipient !== 'S' && decimal(total(details)).gt(SIMPLIFIED_LIMIT)) return '1150';
  return first(recipients ?? [], ({ taxId, other }) => {
    if (taxId !== undefined) return taxId === sender || unknown.has(taxId) ? '1193' : null;
    if (other === undefined) return '1239';
    if (other.type !== '02' && other.country === undefined) return '1111';
    if (other.country === 'ES' && other.type !== '03' && other.type !== '07') return '1234';
    return null;
  });
}

function detailRefusal({ type, rectification, recipients = [] }: Registration, detail: Detail): string | null {
  const { tax, regime, qualification, exemption, rate, base, amount, surchargeRate, surchargeAmount } = detail;
  if ((qualification === undefined) === (exemption === undefined)) return exemption === undefined ? '1195' : '1196';
  if (regime === undefined) return '1245';
  const taxed = [rate, amount, surchargeRate, surchargeAmount].some((one) => one !== undefined);
  if (exemption !== undefined) {
    if (taxed) return '1238';
    if (regime === '01' && (exemption === 'E2' || exemption === 'E3')) return '1199';
    if (exemption === 'E5' && tax === '01' && recipients.some(({ other }) => other === undefined)) return '1289';
    return null;
  }
  if (regime === '02') return '1286';
  if (qualification === 'N1' || qualification === 'N2') return taxed && tax === '01' ? '1237' : null;
  if (rate === undefined || amount === undefined) return qualification === 'S2' ? '1198' : '1208';
  if (qualification === 'S2') {
    if (type === 'F2') return '1197';
    return decimal(rate).eq(0) && decimal(amount).eq(0) ? null : '1198';
  }
  if (tax === '01' && !RATES.has(decimal(rate).toFixed())) return '1124';
  if ((surchargeRate === undefined) !== (surchargeAmount === undefined)) return '1284';
  if (rectification === 'I' || type === 'R2' || type === 'R3') return null;
  if (decimal(base).times(amount).lt(0)) return '1143';
  const off = decimal(base).times(rate).div(100).minus(amount).abs();
  return off.gt(TOLERANCE) ? '1142' : null;
}

/** The code of the first error with which a record is accepted all the same; null for none. */
export function objection(recorded: Recorded, { incident, hasEarlier, now }: Situation): string | null {
  const { link } = recorded;
  const text =
    recorded.kind === 'registration' ? registrationText(recorded.record, link) : annulmentText(recorded.record, link);
  if (createHash('sha256').update(text, 'utf8').digest('hex').toUpperCase() !== link.hash) return '2000';
  const age = now.getTime() - new Date(link.generatedAt).getTime();
  if (age < -MARGIN_MS || (age > MARGIN_MS && !incident)) return '2004';
  if (link.previous === undefined && hasEarlier) return '2007';
  if (link.previous?.hash === link.hash) return '2008';
  if (recorded.kind === 'annulment') return null;
  const { record } = recorded;
  const taxes = sum(record.details.flatMap(({ amount = '0', surchargeAmount = '0' }) => [amount, surchargeAmount]));
  if (decimal(record.total).minus(total(record.details)).abs().gt(TOLERANCE)) return '2005';
  return decimal(record.taxTotal).minus(taxes).abs().gt(TOLERANCE) ? '2006' : null;
}

function total(details: readonly Detail[]): Decimal {
  return sum(
    details.flatMap(({ base, amount = '0', surchargeAmount = '0' }) => [base, amount, surchargeAmount]),
  ).toFixed();
}

function spanishDay(now: Date): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Madrid' }).format(now);
}

function first<T>(values: readonly T[], check: (value: T) => string | null): string | null {
  for (const value of values) {
    const code = check(value);
    if (code !== null) return code;
  }
  return null;
}
