/** Who acts, for which company, and when. Services receive it; they read neither clock nor request. */
export interface Context {
  readonly tenantId: string;
  /** The acting user; null for machines and for the service itself. */
  readonly userId: string | null;
  /** The actor if it is not a user: `api_key:<id>`, `plugin:<id>`, `automation:<id>` or `workflow:<id>`; written to the audit log. */
  readonly actor: string | null;
  readonly requestId: string;
  readonly now: Date;
  /** Number of rule runs in the chain that led here; absent if a person or program acts. */
  readonly depth?: number;
  /** Whether members are not notified of what happens: thousands of documents may be made in one night, of which one notice tells. */
  readonly quiet?: true;
  /** The version of the company's custom fields read with the caller's identity; absent without a caller. */
  readonly customFieldsVersion?: number;
}
