/** Events know the trace of what caused them, so that what follows continues it. */
export const up = `
  alter table outbox add column trace text;
  comment on column outbox.trace is 'Trace of what caused it (W3C traceparent); null unless traces are recorded';
`;
