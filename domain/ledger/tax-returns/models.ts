/** Forms of the tax agencies of Spain and of the Canary Islands (420 and 425) that the service files. */
export const TAX_MODELS = [
  '111',
  '115',
  '123',
  '130',
  '180',
  '190',
  '193',
  '303',
  '347',
  '349',
  '369',
  '390',
  '420',
  '425',
] as const;
export type TaxModel = (typeof TAX_MODELS)[number];
