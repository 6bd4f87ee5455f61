/** The second form of registration (one event), its filter by types of notifications, and filters by conditions. */
export const up = `
  alter table webhooks
    add column form text not null default 'events' check (form in ('events', 'event')),
    -- null: all types.
    add column filter_types text[],
    -- null: none.
    add column filters jsonb,
    add constraint webhooks_one_event check (form = 'events' or cardinality(events) = 1),
    add constraint webhooks_filter_types check (filter_types is null or (form = 'event' and events = '{notification.created}'));
`;
