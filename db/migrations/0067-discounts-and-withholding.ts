/**
 * A discount lowers the tax withheld on its invoice, unless it is to keep it. Earlier ones have kept it, and so do those that processes of
 * the previous release enter during the upgrade: they leave the column to its default.
 */
export const up = `
  alter table payment_applications add column keep_withholding boolean not null default true;
`;
