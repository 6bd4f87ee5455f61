import { SYSTEM_ROLE } from '../database.ts';
import { table, tenantTable } from './schema.ts';

/** Notifications, web push, mail, and what is wrong at the moment. */
export const up = `
  ${tenantTable(
    'notifications',
    'Notifications of members.',
    `
    user_id uuid not null references users (id), -- Member who is notified
    -- Type, by which members choose what they want
    type text not null
      check (type in ('email_status', 'document_sent', 'payment_received', 'payment_made', 'document_locked',
        'automation_triggered', 'plugin_error', 'system_alert', 'mention', 'task_completed')),
    title text not null, -- Title
    body text not null, -- Text
    read boolean not null default false, -- Whether it was read
    read_at timestamptz, -- When it was read
    metadata jsonb, -- Data for programs
    action_url text, -- Address that it leads to
    action_label text, -- Label of that link
    constraint notifications_read_at check (read = (read_at is not null))
  `,
  )}
  create policy notifications_pruning on notifications for delete to ${SYSTEM_ROLE} using (true);
  create policy notifications_pruned on notifications for select to ${SYSTEM_ROLE} using (true);
  grant delete on notifications to ${SYSTEM_ROLE};
  grant select (id, read_at, created_at) on notifications to ${SYSTEM_ROLE};
  create index notifications_unread on notifications (tenant_id, user_id) where not read;
  create index notifications_read on notifications (read_at) where read_at is not null;
  create index notifications_of_user on notifications (tenant_id, user_id, id desc);

  ${tenantTable(
    'notification_settings',
    'Notifications that members want, and how.',
    `
    user_id uuid not null references users (id), -- Member
    value jsonb not null, -- The choice, by type
    summary_on date, -- Last day of which the member got the daily summary
    constraint notification_settings_user_key unique (tenant_id, user_id)
  `,
    { systemGrants: 'select' },
  )}

  ${tenantTable(
    'push_subscriptions',
    'Browsers that receive notifications by Web Push.',
    `
    user_id uuid not null references users (id), -- Member
    endpoint text not null, -- Address of the push service
    p256dh text not null, -- Public key of the browser
    auth text not null, -- Secret of the browser
    session_id uuid, -- Session in which the browser subscribed, which the subscription ends with
    constraint push_subscriptions_endpoint_key unique (tenant_id, user_id, endpoint)
  `,
  )}
  create policy push_subscriptions_session_end on push_subscriptions for delete to ${SYSTEM_ROLE} using (true);
  create policy push_subscriptions_session_read on push_subscriptions for select to ${SYSTEM_ROLE} using (true);
  grant delete on push_subscriptions to ${SYSTEM_ROLE};
  grant select (user_id, session_id) on push_subscriptions to ${SYSTEM_ROLE};
  create index push_subscriptions_user on push_subscriptions (user_id);

  ${table(
    'push_keys',
    'Key pair by which push services recognise this service (VAPID).',
    `
    name text primary key check (name = 'vapid'), -- Always vapid: there is one
    public_key text not null, -- Public key
    private_key_sealed bytea not null -- Private key, encrypted
  `,
  )}
  grant select, insert, update on push_keys to ${SYSTEM_ROLE};

  ${tenantTable(
    'emails',
    'Mails and what became of them.',
    `
    kind text not null, -- What the mail is for
    addressees text not null, -- Recipients in one text, for searches
    subject text not null, -- Subject
    status text not null check (status in ('queued', 'sent', 'failed')), -- queued, sent or failed
    error text, -- Why it failed
    recipients jsonb not null, -- Recipients, and what became of each
    text text, -- Text
    html text, -- Text as HTML
    attachments jsonb not null, -- Attached files
    document_id uuid, -- Document that is sent
    attach_document boolean not null, -- Whether the document's PDF is attached
    entity_id uuid, -- Other record that it is about
    tries integer not null, -- Attempts so far
    give_up_at timestamptz not null, -- When it is too late to send it
    created_by uuid references users (id), -- User who sent it; null if a program did
    actor text, -- Program that sent it
    sent_at timestamptz -- When the mail server took it
  `,
    { grants: 'select, insert, update', systemGrants: 'select, delete' },
  )}
  create index emails_created on emails (tenant_id, created_at, id);
  create index emails_documents on emails (tenant_id, document_id) where document_id is not null;
  create index emails_queued on emails (id) where status = 'queued';

  ${tenantTable(
    'email_templates',
    "Texts of mails in a company's own words, by type of document and language.",
    `
    doc_type text not null, -- Type of document
    language text not null, -- Language
    subject text not null, -- Subject, with placeholders
    body text not null, -- Text, with placeholders
    body_html text, -- Text as HTML; null for none
    constraint email_templates_doc_type__language_key unique (tenant_id, doc_type, language)
  `,
  )}

  ${tenantTable(
    'incidents',
    'What is wrong at the moment, so that members are notified once when it begins and once when it is over.',
    `
    kind text not null, -- Kind of incident
    subject text not null, -- What is affected
    failures integer not null default 0, -- Failures so far
    begun_at timestamptz not null, -- When it began
    seen_at timestamptz not null, -- When it was last seen
    constraint incidents_subject_key unique (tenant_id, kind, subject)
  `,
    { systemGrants: 'select, delete', versioned: false },
  )}
`;
