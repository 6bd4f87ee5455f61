/** Commissions of salespeople. */

/** The base of a commission: the net amount of a line, or its margin. */
export const COMMISSION_BASES = ['amount', 'margin'] as const;
export type CommissionBasis = (typeof COMMISSION_BASES)[number];

/** When a commission is due: once the line is invoiced, or once the invoice is paid. */
export const COMMISSION_DUES = ['invoiced', 'paid'] as const;
export type CommissionDue = (typeof COMMISSION_DUES)[number];
