/** Types of rectifying invoices (lists L2 and L3 of Veri*factu). */

/**
 * R1 errors of law, discounts, returned goods, ended contracts (LIVA art. 80.1, 2 and 6); R2 insolvency of the customer (80.3); R3 bad
 * debts (80.4); R4 all others.
 */
export const RECTIFICATION_TYPES = ['R1', 'R2', 'R3', 'R4'] as const;
export type RectificationType = (typeof RECTIFICATION_TYPES)[number];

/**
 * Whether a rectifying invoice states the differences, or takes back all that the other charged and states it as it should have been (RD
 * 1619/2012, art. 15.5).
 */
export const RECTIFICATION_METHODS = ['differences', 'substitution'] as const;
export type RectificationMethod = (typeof RECTIFICATION_METHODS)[number];
