/** The program that makes the records, as messages and its declaración responsable state it (Orden HAC/1177/2024, art. 15). */
import type { VerifactuConfig } from '../../../../config/verifactu.ts';
import type { Program } from '../../../../domain/ledger/verifactu/records.ts';

/**
 * @param installation never used twice for a company: the id of its chain
 * @throws Error if the configuration names no maker
 */
export function program(
  { maker, systemName, systemCode }: VerifactuConfig,
  { version, installation }: { readonly version: string; readonly installation: string },
): Program {
  if (maker === undefined) throw new Error('no maker of the program is configured');
  return {
    makerName: maker.name,
    makerTaxId: maker.taxId,
    name: systemName,
    code: systemCode,
    version,
    installation,
    onlyVerifactu: 'S',
    severalCompanies: 'S',
    // Each company works as if in a program of its own (RD 1007/2023, art. 7), and sees no other.
    hasSeveral: 'N',
  };
}
