/** On whose behalf, and when, something is done. Services receive it; they read neither clock nor request. */
export interface Context {
  readonly tenantId: string;
  /** The acting user; null for machines and for the service itself. */
  readonly userId: string | null;
  /** The actor if it is not a user: `api_key:<id>`, `plugin:<id>`, `automation:<id>` or `workflow:<id>`; written to the audit log. */
  readonly actor: string | null;
  readonly requestId: string;
  readonly now: Date;
  /** How many rules had to run for this to be done; absent for what people and programs do. */
  readonly depth?: number;
  /** The version of the company's custom fields read with the caller's identity; absent without a caller. */
  readonly customFieldsVersion?: number;
}
