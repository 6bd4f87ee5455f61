/** The migrations in their order. What has landed is never edited: a change is a new migration. */

import * as identity from './0001-identity.ts';
import * as platform from './0002-platform.ts';
import * as masterData from './0003-master-data.ts';
import * as documents from './0004-documents.ts';
import * as webhooks from './0005-webhooks.ts';
import * as workerHosts from './0006-worker-hosts.ts';
import * as placesAndAccounts from './0007-places-and-accounts.ts';
import * as catalogue from './0008-catalogue.ts';
import * as customFields from './0009-custom-fields.ts';
import * as priceLists from './0010-price-lists.ts';
import * as taxValidity from './0011-tax-validity.ts';
import * as tasks from './0013-tasks.ts';
import * as sessions from './0015-sessions.ts';
import * as stock from './0016-stock.ts';
import * as documentActions from './0017-document-actions.ts';
import * as stockSources from './0019-stock-sources.ts';
import * as documentIndexes from './0020-document-indexes.ts';
import * as supplierReferences from './0021-supplier-references.ts';
import * as takenLayers from './0022-taken-layers.ts';
import * as ledger from './0023-ledger.ts';
import * as fiscalYears from './0024-fiscal-years.ts';
import * as payments from './0025-payments.ts';
import * as bankStatements from './0026-bank-statements.ts';
import * as bankMatches from './0027-bank-matches.ts';
import * as sepa from './0028-sepa.ts';
import * as draftEntries from './0029-draft-entries.ts';
import * as refunds from './0030-refunds.ts';
import * as matchingKeys from './0031-matching-keys.ts';
import * as settledDocuments from './0031-settled-documents.ts';
import * as linesOfSeveral from './0032-lines-of-several.ts';
import * as entryYears from './0033-entry-years.ts';
import * as webhookForms from './0034-webhook-forms.ts';
import * as webhookLife from './0035-webhook-life.ts';
import * as webhookShares from './0036-webhook-shares.ts';
import * as annotations from './0037-annotations.ts';
import * as seriesByYear from './0038-series-by-year.ts';
import * as matchingOutcomes from './0040-matching-outcomes.ts';
import * as operation from './0042-operation.ts';
import * as outboxDead from './0043-outbox-dead.ts';
import * as keysUnderWay from './0044-keys-under-way.ts';
import * as invitations from './0045-invitations.ts';
import * as apiKeyUse from './0046-api-key-use.ts';
import * as sessionEnds from './0047-session-ends.ts';
import * as loginLimitsExpire from './0048-login-limits-expire.ts';
import * as writeProbe from './0051-write-probe.ts';
import * as pruning from './0052-pruning.ts';
import * as pruningIndexes from './0053-pruning-indexes.ts';
import * as linePlaces from './0060-line-places.ts';
import * as writtenAsValues from './0061-written-as-values.ts';

export interface Migration {
  readonly name: string;
  /** Statements of one transaction, or indexes of filled tables. */
  readonly up: string | import('./concurrent-indexes.ts').ConcurrentIndexes;
}

export const MIGRATIONS: readonly Migration[] = [
  { name: '0001-identity', up: identity.up },
  { name: '0002-platform', up: platform.up },
  { name: '0003-master-data', up: masterData.up },
  { name: '0004-documents', up: documents.up },
  { name: '0005-webhooks', up: webhooks.up },
  { name: '0006-worker-hosts', up: workerHosts.up },
  { name: '0007-places-and-accounts', up: placesAndAccounts.up },
  { name: '0008-catalogue', up: catalogue.up },
  { name: '0009-custom-fields', up: customFields.up },
  { name: '0010-price-lists', up: priceLists.up },
  { name: '0011-tax-validity', up: taxValidity.up },
  { name: '0013-tasks', up: tasks.up },
  { name: '0015-sessions', up: sessions.up },
  { name: '0016-stock', up: stock.up },
  { name: '0017-document-actions', up: documentActions.up },
  { name: '0019-stock-sources', up: stockSources.up },
  { name: '0020-document-indexes', up: documentIndexes.up },
  { name: '0021-supplier-references', up: supplierReferences.up },
  { name: '0022-taken-layers', up: takenLayers.up },
  { name: '0023-ledger', up: ledger.up },
  { name: '0024-fiscal-years', up: fiscalYears.up },
  { name: '0025-payments', up: payments.up },
  { name: '0026-bank-statements', up: bankStatements.up },
  { name: '0027-bank-matches', up: bankMatches.up },
  { name: '0028-sepa', up: sepa.up },
  { name: '0029-draft-entries', up: draftEntries.up },
  { name: '0030-refunds', up: refunds.up },
  { name: '0031-matching-keys', up: matchingKeys.up },
  { name: '0031-settled-documents', up: settledDocuments.up },
  { name: '0032-lines-of-several', up: linesOfSeveral.up },
  { name: '0033-entry-years', up: entryYears.up },
  { name: '0034-webhook-forms', up: webhookForms.up },
  { name: '0035-webhook-life', up: webhookLife.up },
  { name: '0036-webhook-shares', up: webhookShares.up },
  { name: '0037-annotations', up: annotations.up },
  { name: '0038-series-by-year', up: seriesByYear.up },
  { name: '0040-matching-outcomes', up: matchingOutcomes.up },
  { name: '0042-operation', up: operation.up },
  { name: '0043-outbox-dead', up: outboxDead.up },
  { name: '0044-keys-under-way', up: keysUnderWay.up },
  { name: '0045-invitations', up: invitations.up },
  { name: '0046-api-key-use', up: apiKeyUse.up },
  { name: '0047-session-ends', up: sessionEnds.up },
  { name: '0048-login-limits-expire', up: loginLimitsExpire.up },
  { name: '0051-write-probe', up: writeProbe.up },
  { name: '0052-pruning', up: pruning.up },
  { name: '0053-pruning-indexes', up: pruningIndexes.up },
  { name: '0060-line-places', up: linePlaces.up },
  { name: '0061-written-as-values', up: writtenAsValues.up },
];
