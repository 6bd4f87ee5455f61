/** The pages at /docs: search, the language of examples, colours, and links into the Temporal UI. They can be read without it. */
const root = document.documentElement;

/** Keeps a choice of the reader in the browser, where it lets us. */
function kept(name, value) {
  try {
    if (value !== undefined) localStorage.setItem(`docs-${name}`, value);
    return localStorage.getItem(`docs-${name}`) ?? '';
  } catch {
    return value ?? '';
  }
}

function choose(id, standard) {
  const select = document.getElementById(`site-${id}`);
  const show = (value) => {
    if (value === '') delete root.dataset[id];
    else root.dataset[id] = value;
    select.value = value;
  };
  show(kept(id) || standard);
  select.addEventListener('change', () => show(kept(id, select.value)));
}

choose('language', 'sh');
choose('theme', '');

const input = document.getElementById('site-search');
const found = document.getElementById('site-found');
let entries;
let selected = -1;

/** How well an entry fits: each word must be somewhere, in the title best; 0 for none. */
function fit(entry, words) {
  let sum = 0;
  const title = entry.title.toLowerCase();
  const all = `${title} ${entry.page} ${entry.words}`.toLowerCase();
  for (const word of words) {
    if (title.startsWith(word)) sum += 8;
    else if (title.includes(word)) sum += 5;
    else if (all.includes(word)) sum += 1;
    else return 0;
  }
  return sum + 3 / (3 + title.length / 10);
}

async function search() {
  entries ??= fetch('/docs/search.json').then((answer) => answer.json());
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  const all = await entries;
  const best = all
    .map((entry) => ({ entry, fits: words.length > 0 ? fit(entry, words) : 0 }))
    .filter(({ fits }) => fits > 0)
    .sort((one, other) => other.fits - one.fits)
    .slice(0, 12);
  selected = -1;
  found.replaceChildren(
    ...best.map(({ entry }, index) => {
      const item = document.createElement('li');
      item.id = `site-found-${index}`;
      item.setAttribute('role', 'option');
      const link = document.createElement('a');
      link.href = entry.path;
      link.tabIndex = -1;
      link.textContent = entry.title;
      const where = document.createElement('small');
      where.textContent = entry.page;
      link.append(where);
      item.append(link);
      return item;
    }),
  );
  open(best.length > 0);
}

function open(isOpen) {
  found.hidden = !isOpen;
  input.setAttribute('aria-expanded', String(isOpen));
  if (!isOpen) input.removeAttribute('aria-activedescendant');
}

function select(step) {
  const items = [...found.children];
  if (items.length === 0) return;
  selected = (selected + step + items.length) % items.length;
  items.forEach((item, index) => {
    item.setAttribute('aria-selected', String(index === selected));
  });
  input.setAttribute('aria-activedescendant', items[selected].id);
  items[selected].scrollIntoView({ block: 'nearest' });
}

input.addEventListener('input', search);
input.addEventListener('focus', () => {
  if (input.value !== '') void search();
});
input.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown') select(1);
  else if (event.key === 'ArrowUp') select(-1);
  else if (event.key === 'Enter') found.children[Math.max(selected, 0)]?.querySelector('a').click();
  else if (event.key === 'Escape') open(false);
  else return;
  event.preventDefault();
});
found.addEventListener('click', () => open(false));
document.addEventListener('click', (event) => {
  if (!event.target.closest('search')) open(false);
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.closest('input, select, textarea')) return;
  event.preventDefault();
  input.focus();
});

const form = document.getElementById('operators');
if (form !== null) {
  const since = (milliseconds) => new Date(Date.now() - milliseconds).toISOString();
  const fill = () => {
    const values = {
      company: form.elements.company.value,
      code: form.elements.code.value,
      minute: since(60_000),
      hour: since(3_600_000),
      today: new Date(new Date().setHours(0, 0, 0, 0)).toISOString(),
    };
    for (const row of document.querySelectorAll('[data-query]')) {
      const query = row.dataset.query.replaceAll(/\{(\w+)\}/g, (_, name) => values[name].replaceAll(/["\\]/g, ''));
      row.querySelector('code').textContent = query;
      const link = row.querySelector('[data-list]');
      if (link !== null) link.href = `${link.dataset.list}?query=${encodeURIComponent(query)}`;
    }
  };
  form.addEventListener('input', fill);
  form.addEventListener('submit', (event) => event.preventDefault());
  fill();
}
