// Draws the report. Every name is set as textContent, so that data can never become markup.
'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const $ = (id) => document.getElementById(id);
  const make = (tag, className, text) => {
    const node = document.createElement(tag);
    if (className) node.className = className;
    if (text !== undefined) node.textContent = text;
    return node;
  };
  const plural = (n, word) => `${n.toLocaleString('en')} ${word}${n === 1 ? '' : 's'}`;
  const SIGNALS = ['layout', 'bytes', 'value', 'upgrade', 'stability', 'refusal', 'coverage'];
  const RANK = { error: 3, warning: 2, note: 1 };
  const LOOK = {
    ok: ['ok', '✓', 'fine'], note: ['note-fill', '·', 'a note'], warning: ['warning', '!', 'a warning'],
    error: ['error', '✕', 'an error'], none: ['none', '', 'not looked at'],
  };
  const indexOf = new Map(data.revisions.map((r, i) => [r.name, i]));
  const typeNamed = new Map(data.types.map((t) => [t.name, t]));
  const worst = (findings) => findings.reduce((a, f) => ((RANK[f.severity] || 0) > (RANK[a] || 0) ? f.severity : a), 'ok');
  const bytes = (n) => (n < 1024 ? `${Math.round(n)} B` : n < 1048576 ? `${(n / 1024).toFixed(1)} KB` : `${(n / 1048576).toFixed(1)} MB`);

  // The data contains a field as `{name: hp, type: i32, since: SR_A}`, which is YAML. For people, show `hp: i32, since: SR_A`.
  const pretty = (text) => (/^\{.*\}$/.test(text)
    ? text.slice(1, -1).replace(/^name: ("(?:[^"\\]|\\.)*"|[^,]*), type: /, '$1: ').replace(/^type: /, '').replace(/"([\w:<>,]+)"/g, '$1')
    : text);

  // Findings by type, then by revision. The key -1 stands for the type as a whole.
  for (const type of data.types) type.byRevision = new Map();
  for (const finding of data.findings) {
    const type = typeNamed.get(finding.type);
    if (!type) continue;
    const at = (finding.revisions || []).map((name) => indexOf.get(name)).filter((i) => i !== undefined);
    for (const i of at.length ? at : [-1]) {
      if (!type.byRevision.has(i)) type.byRevision.set(i, []);
      type.byRevision.get(i).push(finding);
    }
  }
  const covered = new Set(data.covered);
  const isCovered = (type) => type.kind !== 'root' || covered.has(type.name);
  const hasGoldens = (revision) => revision.recorded || revision.imported;
  const lastUpTo = (list, i) => list.reduce((found, entry) => (entry[0] <= i ? entry : found), null);

  function header() {
    const count = (severity) => data.findings.filter((f) => f.severity === severity).length;
    const [errors, warnings, notes] = [count('error'), count('warning'), count('note')];
    const roots = data.types.filter((t) => t.kind === 'root').length;
    const whole = data.shard[1] === 1 ? '' : ` · shard ${data.shard[0]} of ${data.shard[1]}`;
    $('eyebrow').textContent = `List ${data.list} · ${data.when}${whole}`;
    const said = [errors && plural(errors, 'error'), warnings && plural(warnings, 'warning')].filter(Boolean);
    const having = data.revisions.filter(hasGoldens).length, all = data.revisions.length;
    const share = having === all ? `all ${plural(all, 'revision')} have goldens` : `${having} of ${plural(all, 'revision')} have goldens`;
    const sentence = share[0].toUpperCase() + share.slice(1);
    $('verdict').textContent = said.length ? said.join(', ') : having ? `${sentence}; all of them load` : sentence;
    document.querySelector('header').dataset.verdict = errors ? 'error' : warnings ? 'warning' : 'ok';
    const parts = [plural(roots, 'type'), said.length ? share : plural(all, 'revision'), plural(data.goldens, 'golden')];
    if (data.hostile[0]) parts.push(`${plural(data.hostile[0], 'hostile input')}, ${data.hostile[1].toLocaleString('en')} refused`);
    if (notes) parts.push(plural(notes, 'note'));
    $('summary').textContent = parts.join(' · ');
    document.title = `${$('verdict').textContent} · ${data.list}`;
    $('footer').textContent = 'Made by the harness of revctl. This page loads nothing from elsewhere.';
  }

  function findingNode(finding) {
    const look = LOOK[finding.severity] || LOOK.note;
    const node = make('div', `finding ${look[0]}`);
    const tag = make('p', 'tag', `${finding.severity} ${finding.rule}${finding.signal ? ` · ${finding.signal}` : ''}${finding.field ? ` · ${finding.field}` : ''}`);
    tag.style.color = 'currentColor';
    node.append(tag, make('p', '', finding.message));
    if (finding.details) node.append(make('pre', '', finding.details));
    if (finding.fix) node.append(make('pre', 'fix', finding.fix));
    if (finding.file) node.append(make('p', 'place', finding.line ? `${finding.file}:${finding.line}` : finding.file));
    return node;
  }

  function findings() {
    const list = data.findings.filter((f) => f.severity !== 'note').concat(data.findings.filter((f) => f.severity === 'note'));
    list.sort((a, b) => (RANK[b.severity] || 0) - (RANK[a.severity] || 0));
    if (!list.length) return;
    $('findings-section').hidden = false;
    if (!data.findings.some((f) => f.severity !== 'note')) document.querySelector('#findings-section h2').textContent = 'Notes';
    for (const finding of list) {
      const details = make('details');
      const summary = make('summary');
      const look = LOOK[finding.severity] || LOOK.note;
      const swatch = make('span', `swatch ${look[0]}`, look[1]);
      const where = [finding.type, finding.field].filter(Boolean).join('.');
      summary.append(swatch, make('span', '', where ? `${where}: ` : ''), make('span', 'count', finding.rule));
      summary.children[1].textContent = where && !finding.message.startsWith(where) ? `${where}: ${finding.message.split('\n')[0]}` : finding.message.split('\n')[0];
      details.append(summary);
      details.addEventListener('toggle', () => { if (details.open && details.children.length === 1) details.append(findingNode(finding)); });
      $('findings').append(details);
    }
    if ($('findings').firstChild && worst(list) === 'error') $('findings').firstChild.open = true;
  }

  function swatchLegend() {
    for (const key of ['ok', 'note', 'warning', 'error']) {
      const item = make('li');
      item.append(make('span', `swatch ${LOOK[key][0]}`, LOOK[key][1]), document.createTextNode(LOOK[key][2]));
      $('legend').append(item);
    }
    $('legend').append(make('li', '', 'A square is recorded at that revision; the line is what inherits it.'));
  }

  let pressed = null;
  function press(button) {
    if (pressed) pressed.setAttribute('aria-pressed', 'false');
    pressed = button;
    if (button) button.setAttribute('aria-pressed', 'true');
  }

  function cell(type, i) {
    const found = type.byRevision.get(i) || [];
    const look = LOOK[isCovered(type) ? worst(found) : 'none'];
    const button = make('button', `cell ${look[0]}`);
    button.type = 'button';
    button.append(make('span', '', look[1]));
    if (type.kind === 'root') {
      const ticks = make('span', 'ticks');
      ticks.setAttribute('aria-hidden', 'true');
      for (const signal of SIGNALS) {
        const own = found.filter((f) => f.signal === signal);
        ticks.append(make('i', own.length ? LOOK[worst(own)][0] : ''));
      }
      button.append(ticks);
    }
    const name = data.revisions[i].name;
    button.title = `${type.name} at ${name}: ${look[2]}`;
    button.setAttribute('aria-label', button.title);
    button.dataset.type = type.name;
    button.dataset.revision = name;
    button.addEventListener('click', () => { press(button); story(type, i); });
    return button;
  }

  function row(type) {
    const node = make('div', `row ${type.kind}`);
    node.dataset.name = type.name.toLowerCase();
    const name = make('div', 'name', type.name);
    node.append(name);
    const whole = type.byRevision.get(-1);
    if (whole) {
      const link = make('button', 'link', type.name);
      link.type = 'button';
      link.style.color = `var(--${worst(whole) === 'note' ? 'note' : worst(whole)})`;
      link.addEventListener('click', () => { press(null); story(type, -1); });
      name.replaceChildren(link);
    }
    const own = new Set([...type.layouts, ...type.goldens].map((entry) => entry[0]));
    for (const i of type.byRevision.keys()) if (i >= 0) own.add(i);
    const places = [...own].sort((a, b) => a - b);
    places.forEach((i, k) => {
      const button = cell(type, i);
      button.style.gridColumn = String(i + 2);
      button.style.gridRow = '1';
      node.append(button);
      const next = k + 1 < places.length ? places[k + 1] : data.revisions.length;
      if (next - i < 2 || type.kind === 'gone') return;
      const span = make('button', 'span');
      span.type = 'button';
      span.tabIndex = -1;
      span.style.gridColumn = `${i + 3} / ${next + 2}`;
      span.style.gridRow = '1';
      span.setAttribute('aria-label', `${type.name} as recorded at ${data.revisions[i].name}`);
      span.addEventListener('click', (event) => {
        const width = span.getBoundingClientRect().width / (next - i - 1);
        press(null);
        story(type, Math.min(next - 1, i + 1 + Math.floor(event.offsetX / width)));
      });
      node.append(span);
    });
    return node;
  }

  function matrix() {
    const n = data.revisions.length;
    const column = n <= 40 ? 44 : n <= 120 ? 24 : 12;
    const node = $('matrix');
    if (n > 40) node.classList.add('narrow');
    if (n > 40 || innerWidth > 640) node.style.setProperty('--col', `${column}px`);
    const columns = `var(--name) repeat(${n}, var(--col)) 1fr`;
    const head = make('div', 'row head');
    head.style.gridTemplateColumns = columns;
    const corner = make('div', 'name', 'Type');
    corner.style.gridRow = '1 / 3';
    head.append(corner);
    const every = n > 120 ? 10 : 1;
    data.revisions.forEach((revision, i) => {
      if (i % every) return;
      const label = make('div', 'revision', revision.name);
      label.title = `${revision.name} = ${revision.number}`;
      label.style.gridColumn = String(i + 2);
      label.style.gridRow = '1';
      // Show the number too, because some people know their versions by number.
      const number = make('div', 'number', String(revision.number));
      number.title = label.title;
      number.style.gridColumn = String(i + 2);
      number.style.gridRow = '2';
      head.append(label, number);
    });
    node.append(head);
    const order = { root: 0, gone: 1, record: 2, enum: 3 };
    for (const type of [...data.types].sort((a, b) => order[a.kind] - order[b.kind])) {
      const line = row(type);
      line.style.gridTemplateColumns = columns;
      node.append(line);
    }
  }

  // Scrolls to the newest revisions, and to the newest error if it is elsewhere.
  function openAtNewest() {
    const box = $('scroll');
    box.scrollLeft = box.scrollWidth;
    const red = [...document.querySelectorAll('#matrix .cell.error')]
      .reduce((last, node) => (!last || indexOf.get(node.dataset.revision) > indexOf.get(last.dataset.revision) ? node : last), null);
    if (!red) return;
    const [outer, inner] = [box.getBoundingClientRect(), red.getBoundingClientRect()];
    const names = document.querySelector('#matrix .name').getBoundingClientRect().width;
    if (inner.left < outer.left + names) box.scrollLeft -= outer.left + outer.width / 2 - inner.left;
    if (inner.bottom > outer.bottom) box.scrollTop += inner.bottom - outer.top - outer.height / 2;
  }

  function fieldsNode(type, i) {
    const now = lastUpTo(type.layouts, i);
    if (!now) return null;
    const before = now[0] === i ? lastUpTo(type.layouts, i - 1) : null;
    const changed = now[0] === i && type.layouts[0][0] !== i;
    const bad = new Set((type.byRevision.get(i) || []).filter((f) => f.severity === 'error').map((f) => f.field));
    const list = make('ol', 'fields');
    now[1].forEach((place, n) => {
      const text = data.fields[place];
      const item = make('li', changed && before && !before[1].includes(place) ? 'added' : '', pretty(text));
      const name = /^\{name: "?([^",}]+)/.exec(text);
      if (name && bad.has(name[1])) item.className = 'bad';
      item.dataset.n = String(n + 1);
      list.append(item);
    });
    if (changed && before) {
      for (const place of before[1]) if (!now[1].includes(place)) list.append(make('li', 'gone', pretty(data.fields[place])));
    }
    return list;
  }

  function story(type, i) {
    const node = $('story');
    node.replaceChildren();
    const found = type.byRevision.get(i) || [];
    const revision = data.revisions[i];
    node.append(make('h3', '', revision ? `${type.name} at ${revision.name}` : type.name));
    const where = [];
    if (revision) {
      const golden = lastUpTo(type.goldens, i), layout = lastUpTo(type.layouts, i);
      where.push(`revision ${revision.number}`);
      if (layout) where.push(layout[0] === i ? 'layout recorded here' : `layout inherited from ${data.revisions[layout[0]].name}`);
      if (golden) where.push(`${plural(golden[1], 'golden')}${golden[0] === i ? '' : ` of ${data.revisions[golden[0]].name}`}, ${bytes(golden[2])} to ${bytes(golden[4])}`);
      const cost = type.costs.filter((c) => c[0] === i).reduce((sum, c) => sum + c[1], 0);
      if (cost) where.push(`${cost.toFixed(2)} ms`);
    } else where.push('about the type as a whole');
    node.append(make('p', 'where', where.join(' · ')));
    if (type.kind === 'root' && revision) {
      const list = make('ul', 'signals');
      for (const signal of SIGNALS) {
        const own = found.filter((f) => f.signal === signal);
        const look = LOOK[isCovered(type) ? worst(own) : 'none'];
        list.append(make('li', look[0], `${look[1]} ${signal}`.trim()));
      }
      node.append(list);
    }
    for (const finding of found) node.append(findingNode(finding));
    const fields = revision ? fieldsNode(type, i) : null;
    if (fields) {
      node.append(make('p', 'subhead', type.kind === 'enum' ? 'Enumerators' : 'Fields, in the order of the bytes'));
      node.append(fields);
    }
    node.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
  }

  function sizes() {
    const svgNode = (tag, attributes) => {
      const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
      for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
      return node;
    };
    const last = Math.max(1, data.revisions.length);
    for (const type of data.types) {
      if (!type.goldens.length || type.kind !== 'root') continue;
      const most = Math.max(...type.goldens.map((g) => g[4]), 1);
      const box = make('div', 'size');
      box.dataset.name = type.name.toLowerCase();
      box.append(make('h3', '', type.name));
      const svg = svgNode('svg', { viewBox: `0 0 ${last} 100`, preserveAspectRatio: 'none', role: 'img', 'aria-label': `Size of ${type.name} over the revisions` });
      const y = (value) => (100 - (value / most) * 96).toFixed(2);
      const steps = (pick) => type.goldens.map((g, k) => {
        const end = k + 1 < type.goldens.length ? type.goldens[k + 1][0] : last;
        return `${g[0]},${y(pick(g))} ${end},${y(pick(g))}`;
      });
      const down = steps((g) => g[2]).map((s) => s.split(' ').reverse().join(' ')).reverse();
      svg.append(svgNode('polygon', { points: steps((g) => g[4]).concat(down).join(' '), fill: 'var(--chart)', opacity: '0.18' }));
      svg.append(svgNode('polyline', { points: steps((g) => g[3] / g[1]).join(' '), fill: 'none', stroke: 'var(--chart)', 'stroke-width': '2', 'vector-effect': 'non-scaling-stroke', 'stroke-linejoin': 'round' }));
      box.append(svg);
      const mean = (g) => bytes(g[3] / g[1]);
      const first = type.goldens[0], now = type.goldens[type.goldens.length - 1];
      const line = make('p');
      line.append(make('span', '', `${mean(first)} at ${data.revisions[first[0]].name}`), make('span', 'now', `${mean(now)} now`));
      box.append(line);
      $('sizes').append(box);
    }
  }

  function changes() {
    const SHOWN = 25;
    const list = data.revisions.map((revision, i) => [revision, i]).reverse();
    const add = ([revision]) => {
      const details = make('details');
      details.dataset.name = revision.name.toLowerCase();
      const summary = make('summary');
      const n = revision.changes.length;
      summary.append(make('span', 'mono', revision.name), make('span', 'count', `${revision.number} · ${n ? plural(n, 'change') : revision.recorded ? 'no layout changed' : revision.imported ? 'imported goldens' : 'not recorded'}`));
      details.append(summary);
      details.addEventListener('toggle', () => {
        if (!details.open || details.children.length > 1) return;
        const lines = make('ul', 'changes');
        for (const [kind, type, , before, after] of revision.changes) {
          const dot = before || after ? '.' : '';
          if (kind !== '+') lines.append(make('li', 'minus', `− ${type}${dot}${pretty(before)}`));
          if (kind !== '-') lines.append(make('li', 'plus', `+ ${type}${dot}${pretty(after)}`));
        }
        details.append(lines);
      });
      $('changes').append(details);
    };
    list.slice(0, SHOWN).forEach(add);
    if (list.length > SHOWN) {
      const more = make('button', 'link more', `${list.length - SHOWN} older revisions`);
      more.type = 'button';
      more.addEventListener('click', () => { more.remove(); list.slice(SHOWN).forEach(add); });
      $('changes').append(more);
    }
  }

  function slowest() {
    const cells = [];
    for (const type of data.types) for (const [i, ms] of type.costs) cells.push([ms, type, i]);
    cells.sort((a, b) => b[0] - a[0]);
    const top = cells.slice(0, 12);
    for (const [ms, type, i] of top) {
      const item = make('li');
      const name = make('span', 'mono');
      const link = make('button', 'link', i < 0 ? `${type.name}, samples and layouts` : `${type.name} at ${data.revisions[i].name}`);
      link.type = 'button';
      link.addEventListener('click', () => { press(null); story(type, i < 0 ? data.revisions.length - 1 : i); });
      name.append(link);
      const bar = make('span', 'bar');
      const fill = make('i');
      fill.style.width = `${Math.max(2, (100 * ms) / top[0][0])}%`;
      bar.append(fill);
      item.append(name, bar, make('span', 'ms', `${ms < 10 ? ms.toFixed(2) : ms.toFixed(0)} ms`));
      $('slowest').append(item);
    }
  }

  function filter() {
    $('filter').addEventListener('input', () => {
      const words = $('filter').value.toLowerCase().trim();
      // If the text matches a row of a group, keep only the matching rows of that group. Otherwise keep the whole group.
      for (const group of ['#matrix .row:not(.head)', '#sizes .size', '#changes details']) {
        const all = [...document.querySelectorAll(group)];
        const fits = all.filter((node) => node.dataset.name.includes(words));
        const keep = new Set(fits.length ? fits : all);
        for (const node of all) node.style.display = keep.has(node) ? '' : 'none';
      }
    });
  }

  header();
  findings();
  swatchLegend();
  matrix();
  sizes();
  changes();
  slowest();
  filter();
  $('main').hidden = false;
  openAtNewest();
})();
