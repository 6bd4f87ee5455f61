/** Drafts of entries are looked through when something that they may name is deleted. */
export const up = 'create index journal_entries_drafts on journal_entries (tenant_id) where draft_lines is not null;';
