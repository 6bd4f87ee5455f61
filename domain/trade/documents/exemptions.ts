/** Why a sale bears no VAT, by the codes of the tax agency (lists L9 and L10 of Veri*factu). */

export const EXEMPTION_REASONS = ['E1', 'E2', 'E3', 'E4', 'E5', 'E6', 'N1', 'N2'] as const;
/** Exempt by LIVA arts. 20 (E1), 21 (E2), 22 (E3), 23 and 24 (E4), 25 (E5), another (E6); not subject (N1), or not here (N2). */
export type ExemptionReason = (typeof EXEMPTION_REASONS)[number];

/** Kinds of tax that may have each reason. */
export function fits(reason: ExemptionReason, kind: string): boolean {
  return kind === (reason.startsWith('E') ? 'exempt' : 'not_subject');
}
