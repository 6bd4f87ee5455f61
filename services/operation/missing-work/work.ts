/** Work that the database expects to run in Temporal; what Temporal does not have is missing. */
import type { TaskKind } from '../../../domain/platform/tasks.ts';
import type { RunToStart } from '../../../workflows/integrations/automations/contract.ts';
import type { DeliveryAbout } from '../../../workflows/integrations/webhooks/contract.ts';
import type { OpenDocument } from '../../trade/documents/open-documents.ts';

/** A piece of work that the database expects, with the input to start it. Ids, states and titles only. */
export type ExpectedWork =
  | ({ readonly kind: 'lifecycles' } & OpenDocument)
  | {
      readonly kind: 'tasks';
      readonly tenantId: string;
      readonly taskId: string;
      readonly taskKind: TaskKind;
      readonly title: string | null;
    }
  | { readonly kind: 'matchings'; readonly tenantId: string; readonly paymentId: string }
  | {
      readonly kind: 'emails';
      readonly tenantId: string;
      readonly emailId: string;
      /** The document whose PDF is attached. */
      readonly documentId: string | null;
    }
  | ({ readonly kind: 'automations' } & RunToStart)
  | { readonly kind: 'verifactu' | 'face'; readonly tenantId: string }
  | { readonly kind: 'revaluations'; readonly tenantId: string; readonly eventId: string; readonly itemId: string }
  | {
      readonly kind: 'deliveries' | 'redeliveries';
      readonly tenantId: string;
      readonly webhookId: string;
      readonly eventId: string;
      readonly about: DeliveryAbout;
      /** The request to redeliver; null for the first delivery. */
      readonly redeliveryId: string | null;
    };

export const WORK_KINDS = [
  'lifecycles',
  'tasks',
  'matchings',
  'emails',
  'automations',
  'deliveries',
  'redeliveries',
  'revaluations',
  'verifactu',
  'face',
] as const;
export type WorkKind = (typeof WORK_KINDS)[number];

export interface WorkPage {
  readonly items: readonly ExpectedWork[];
  /** Cursor of the next page; null after the last. */
  readonly next: string | null;
}

/** The time span of events to check; later ones may still be in flight. */
export interface EventSpan {
  readonly since: Date;
  readonly until: Date;
}
