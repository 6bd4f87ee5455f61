/** Roles are named sets of permissions `resource:action`. Declared here, used by API, docs and tests. */

/** The resources of permissions. Routes name one of these; a role grants actions on them. */
export const RESOURCES = [
  'partners',
  'partner_groups',
  'payment_terms',
  'items',
  'uom',
  'categories',
  'warehouses',
  'zones',
  'taxes',
  'tax_returns',
  'series',
  'periods',
  'pricelists',
  'exchange_rates',
  'standard_costs',
  'salespeople',
  'commissions',
  'accounts',
  'journal_entries',
  'assets',
  'projects',
  'stock',
  'sales_quotations',
  'sales_orders',
  'sales_delivery_notes',
  'sales_invoices',
  'purchase_requests',
  'purchase_orders',
  'purchase_delivery_notes',
  'purchase_invoices',
  'document_locks',
  'recurring_documents',
  'payments',
  'payments_in',
  'payments_out',
  'people',
  'payroll',
  'users',
  'memberships',
  'tenants',
  'api_keys',
  'roles',
  'company',
  'config',
  'bank_accounts',
  'custom_fields',
  'webhooks',
  'automations',
  'plugins',
  'audit',
  'files',
  'tasks',
] as const;

export type Resource = (typeof RESOURCES)[number];
/** Areas of reports: users who may not read records may not read their totals either. */
export const REPORT_AREAS = ['sales', 'purchases', 'stock', 'accounting', 'people'] as const;

export type ReportArea = (typeof REPORT_AREAS)[number];
export type Action = 'read' | 'create' | 'update' | 'delete';
/** Shows and sets the personal data of employees: tax id, bank account, social security number, notes on absences, attachments. */
export const PRIVATE = 'people:private';
export type Permission = `${Resource}:${Action}` | `reports:${ReportArea}` | typeof PRIVATE;

/**
 * Who may read the records of an entity type: the holders of a permission; `subject`: the readers of the record that they belong to, or of
 * its member after the dot; `own`: the person whose they are, and administrators.
 */
export type ReadAccess = Permission | 'subject' | 'subject.attachments' | 'own';

/** Members of records that need a further permission, and for which. `attachments` stands for the files attached to the record. */
export type PrivateFields = Readonly<Record<string, Permission>>;
export type Role = 'owner' | 'admin' | 'accountant' | 'sales' | 'purchasing' | 'warehouse' | 'hr' | 'viewer';

const ACTIONS: readonly Action[] = ['read', 'create', 'update', 'delete'];

/**
 * Readable only for roles that work with them. Pay belongs to `payroll`, even within a person's own record, so that others can read
 * `people`; reports on people show it too. Some members need a further permission (`PRIVATE`), which lists of resources do not give.
 */
const RESTRICTED: readonly Resource[] = [
  'document_locks',
  'payroll',
  'commissions',
  'users',
  'memberships',
  'webhooks',
  'automations',
  'plugins',
  'api_keys',
  'audit',
];

/** Readable for every member: the company, files made for them, and the data that forms and tables need. */
const COMMON: readonly Resource[] = ['company', 'files', 'tasks', 'custom_fields', 'roles', 'uom', 'taxes', 'series'];

/** Also readable for everybody who writes documents, because their forms offer it. */
const REFERENCE: readonly Resource[] = [
  ...COMMON,
  'partners',
  'partner_groups',
  'payment_terms',
  'items',
  'categories',
  'warehouses',
  'zones',
  'stock',
  'periods',
  'pricelists',
  'exchange_rates',
  'standard_costs',
  'salespeople',
  'accounts',
  'projects',
];

function all(...resources: readonly Resource[]): Permission[] {
  return resources.flatMap((resource) => ACTIONS.map((action): Permission => `${resource}:${action}`));
}

function read(...resources: readonly Resource[]): Permission[] {
  return resources.map((resource): Permission => `${resource}:read`);
}

/** Reading that every member may do, whatever their role. */
export const COMMON_PERMISSIONS: readonly Permission[] = read(...COMMON);

function reports(...areas: readonly ReportArea[]): Permission[] {
  return areas.map((area): Permission => `reports:${area}`);
}

const EVERYTHING = [...all(...RESOURCES), PRIVATE, ...reports(...REPORT_AREAS)] as const;

/** All permissions to read records, private members included. */
export const READ_PERMISSIONS: readonly Permission[] = [...read(...RESOURCES), PRIVATE];

/** The roles with their permissions. */
export const ROLES: Readonly<Record<Role, { readonly name: string; readonly permissions: ReadonlySet<Permission> }>> = {
  owner: { name: 'Owner', permissions: new Set(EVERYTHING) },
  admin: { name: 'Administrator', permissions: new Set(EVERYTHING) },
  accountant: {
    name: 'Accountant',
    permissions: new Set([
      ...read(
        ...REFERENCE,
        'audit',
        'bank_accounts',
        'config',
        'sales_quotations',
        'sales_orders',
        'sales_delivery_notes',
        'purchase_requests',
        'purchase_orders',
        'purchase_delivery_notes',
      ),
      ...all(
        'accounts',
        'journal_entries',
        'assets',
        'payments',
        'payments_in',
        'payments_out',
        'sales_invoices',
        'purchase_invoices',
        'recurring_documents',
        'exchange_rates',
        'standard_costs',
        'taxes',
        'tax_returns',
        'periods',
        'series',
        'partners',
        'partner_groups',
        'payment_terms',
        'projects',
        'commissions',
        'tasks',
      ),
      ...reports(...REPORT_AREAS),
    ]),
  },
  sales: {
    name: 'Sales',
    permissions: new Set([
      ...read(...REFERENCE, 'payments_in'),
      ...all(
        'partners',
        'pricelists',
        'sales_quotations',
        'sales_orders',
        'sales_delivery_notes',
        'sales_invoices',
        'recurring_documents',
        'tasks',
      ),
      ...reports('sales', 'stock'),
    ]),
  },
  purchasing: {
    name: 'Purchasing',
    permissions: new Set([
      ...read(...REFERENCE, 'payments_out'),
      ...all(
        'partners',
        'pricelists',
        'purchase_requests',
        'purchase_orders',
        'purchase_delivery_notes',
        'purchase_invoices',
        'recurring_documents',
        'tasks',
      ),
      ...reports('purchases', 'stock'),
    ]),
  },
  warehouse: {
    name: 'Warehouse',
    permissions: new Set([
      ...read(...REFERENCE, 'sales_orders', 'purchase_orders'),
      ...all('sales_delivery_notes', 'purchase_delivery_notes', 'stock', 'items', 'warehouses', 'zones', 'tasks'),
      ...reports('stock'),
    ]),
  },
  hr: {
    name: 'Human resources',
    permissions: new Set([
      ...read(...COMMON, 'projects'),
      ...all('people', 'payroll', 'tasks'),
      PRIVATE,
      ...reports('people'),
    ]),
  },
  viewer: {
    name: 'Viewer',
    permissions: new Set([
      ...read(...RESOURCES.filter((resource) => !RESTRICTED.includes(resource))),
      ...reports('sales', 'purchases', 'stock', 'accounting'),
    ]),
  },
};

const NOTHING: ReadonlySet<Permission> = new Set();

/** Whether a role manages the company: its people and the work of others. */
export function isAdministrator(role: string): boolean {
  return role === 'owner' || role === 'admin';
}

/** The permissions of a role; none for an unknown one. */
export function rolePermissions(role: string): ReadonlySet<Permission> {
  return isRole(role) ? ROLES[role].permissions : NOTHING;
}

/** Whether a text names a role. */
export function isRole(text: string): text is Role {
  return Object.hasOwn(ROLES, text);
}
