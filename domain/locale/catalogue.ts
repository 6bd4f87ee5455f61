/** Pairs of an English template and its translation. Holes, `{1}`, are numbered in the order of the English one. */
export type Catalogue = readonly (readonly [english: string, translated: string])[];
