/** Facts that the tax agency demands of each recipient in the file of model 190, and the books may not have. */
import type { Missing } from './informative.ts';
import type { WithheldKey } from './withheld.ts';

/** A recipient, with the facts that are known. */
export interface Known190 {
  readonly key: WithheldKey;
  readonly employeeId: string | null;
  readonly partnerId: string | null;
  readonly name: string;
  readonly nif: string | null;
  readonly province: string | null;
  readonly subkey: string | null;
  readonly birthYear: number | null;
  readonly familySituation: number | null;
  readonly spouseNif: string | null;
}

/** Lists what is missing of a recipient, in the order of the record. */
export function missing190(recipient: Known190): Missing[] {
  const { key, employeeId, partnerId, name, nif, province, subkey } = recipient;
  const missing = (record: string | null, member: string, isMissing: boolean) =>
    isMissing ? [{ name, record, member }] : [];
  const hasNoSubkey = key !== 'A' && subkey === null;
  if (employeeId !== null) {
    const employee = `/api/employees/${employeeId}`;
    const declared = `${employee}/tax-data`;
    return [
      ...missing(employee, 'nif', nif === null),
      ...missing(declared, 'province', province === null),
      ...missing(declared, 'subkey', hasNoSubkey),
      ...missing(declared, 'birthYear', key === 'A' && recipient.birthYear === null),
      ...missing(declared, 'spouseNif', key === 'A' && recipient.familySituation === 2 && recipient.spouseNif === null),
    ];
  }
  if (partnerId === null) return missing(null, 'partnerId', true);
  const partner = `/api/partners/${partnerId}`;
  return [
    ...missing(partner, 'nif', nif === null),
    ...missing(`${partner}/addresses`, 'zipCode', province === null),
    ...missing(partner, 'withholdingSubkey', hasNoSubkey),
  ];
}
