/** Lines of notes that enter themselves: what stands on 4009 and 4309 of each. No such line is there before, since companies ask for it. */
export const up = 'alter table journal_lines add column note_line_id uuid';
