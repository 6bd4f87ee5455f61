/** On whose behalf, and when, something is done. Services receive it; they read neither clock nor request. */
export interface Context {
  readonly tenantId: string;
  /** The acting user; null for API keys and for the service itself. */
  readonly userId: string | null;
  /** What acts when no user does: `api_key:<id>` or `workflow:<id>`; written to the audit log beside the user. */
  readonly actor: string | null;
  readonly requestId: string;
  readonly now: Date;
  /** The state of the company's custom fields as it was read with the caller's identity; absent where nobody called. */
  readonly customFieldsVersion?: number;
}
