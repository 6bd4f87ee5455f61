/** Groups of the docs page, in order, with their descriptions. */
const TAGS: Readonly<Record<string, string>> = {
  'Set-up': 'The first company and its owner; whether the system is set up.',
  Authentication: 'Logging in and out, tokens, passwords, switching companies.',
  Users: 'The people of the company.',
  Memberships: 'Memberships of users in companies, with their roles.',
  Invitations: 'Invitations to join the company, by e-mail.',
  Companies: 'Additional companies of the same users.',
  'API keys': 'Keys for programs. They are sent as Bearer tokens and have a role, like users.',
  Company: 'Name, address and tax id of the company.',
  Configuration: 'Settings of the company, and its bank accounts. Every settings page has its own ETag.',
  Partners: 'Customers and suppliers with their groups, addresses and SEPA mandates.',
  'Payment terms': 'Due dates of invoices, in one or several instalments.',
  Items: 'Goods and services, with their categories and units.',
  Warehouses: 'Warehouses and their zones.',
  Taxes: 'VAT and equivalence surcharge, by date of validity.',
  Series: 'The series that number documents, by type and year.',
  Periods: 'Accounting periods, open or closed.',
  'Price lists': 'Prices and discounts of partners, by item, quantity and date.',
  Accounts: 'The chart of accounts.',
  Projects: 'Projects and cost centers, which classify amounts.',
  People: 'Employees, their departments, contracts, absences and pay.',
  Payroll: 'Monthly pay of employees: drafts, entries and payments.',
  'Custom fields': 'Fields of your own, which records show as custom_<field_name>.',
  Accounting: 'The ledger: journal entries, fiscal years and the accounts that the company posts to.',
  Stock: 'Stock levels, movements, counts, transfers and batches.',
  Audit: 'The history of changes, with user and time.',
  Comments: 'Comments on records, with mentions of colleagues.',
  Sales: 'Sales orders, delivery notes and invoices.',
  Purchases: 'Purchase orders, delivery notes and invoices.',
  Payments: 'Payments received and issued, what they settle, and orders at the bank (SEPA).',
  Reports: 'Totals over many records, as JSON, CSV, Excel and PDF.',
  'Tax returns': 'Models 130, 303 and 390 that were filed, with the settlement of VAT.',
  Files: 'Attachments of records, and files behind signed links.',
  Imports: 'Records from CSV and Excel files.',
  'Bank statements': 'Bank statements and the reconciliation of their lines.',
  Tasks: 'Background work, its progress and results.',
  Notifications: 'Notifications of users and their preferences.',
  'E-mail': 'E-mails sent by the service, and their delivery.',
  Webhooks: 'Subscriptions to events, and the log of deliveries.',
  Automations: 'Rules of the company: triggers, conditions and actions.',
  Plugins: 'Third-party programs that work on the data of the company, with their own permissions and custom fields.',
  Transactions: 'Several changes, all or none.',
  Operation: 'Health and metrics, for operators of the service.',
  Documentation: 'This description, and the pages that show it.',
  Events: 'Requests that the service sends to webhooks, one per event.',
};

/** Describes the tags in use, in the order of the page; those without a description come last. */
export function describeTags(used: ReadonlySet<string>): { name: string; description?: string }[] {
  const described = Object.entries(TAGS).map(([name, description]) => ({ name, description }));
  const others = [...used].filter((name) => !Object.hasOwn(TAGS, name)).map((name) => ({ name }));
  return [...described.filter(({ name }) => used.has(name)), ...others];
}
