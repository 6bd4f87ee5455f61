/** A payment may pay back what an invoice of the other side credits: then it settles the document by less than zero. */
export const up = `
  alter table payment_applications drop constraint payment_applications_settled_check;
  alter table payment_applications add constraint payment_applications_settled_check check (settled <> 0 and (
    settled = amount + withholding + discount + write_off
    or settled = -amount and amount > 0 and withholding = 0 and discount = 0 and write_off = 0));
`;
