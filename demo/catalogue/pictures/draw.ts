/** Draws the demo's products as SVG, 256 × 256. `npm run draw:products` turns them into the pictures beside this file. */

type Draw = () => string

const svg = (tint: string, body: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 256 256"><rect width="256" height="256" rx="40" fill="${tint}"/>${body}</svg>`
const path = (d: string, fill: string, more = '') => `<path d="${d}" fill="${fill}" ${more}/>`
const oval = (x: number, y: number, rx: number, ry: number, fill: string) =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}"/>`
const box = (x: number, y: number, width: number, height: number, fill: string, radius = 8) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}"/>`
const line = (d: string, stroke: string, width: number) =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`
const steam = line('M108 66q-12-14 0-28M138 66q-12-14 0-28', '#ffffffaa', 8)

/** A cup on a saucer, seen from the front; `drink` is the colour of what is in it, `foam` a spot on top. */
const cup =
  (tint: string, drink: string, foam?: string, height = 84): Draw =>
  () => {
    const top = 188 - height
    return svg(
      tint,
      steam +
        oval(124, 200, 84, 14, '#0000001c') +
        oval(124, 194, 78, 13, '#ffffff') +
        line(`M172 ${top + 18}q40 2 34 32q-6 24-42 22`, '#ffffff', 14) +
        path(`M70 ${top}h108q0 ${height}-38 ${height}h-32q-38 0-38-${height}z`, '#ffffff') +
        oval(124, top, 54, 15, '#e9e4dd') +
        oval(124, top + 1, 46, 11, drink) +
        (foam ? oval(124, top, 26, 6, foam) : ''),
    )
  }

/** A tall glass with layers from the bottom up. */
const glass =
  (tint: string, ...layers: string[]): Draw =>
  () => {
    const height = 120 / layers.length
    const parts = layers.map((fill, at) => box(90, 190 - height * (at + 1), 76, height + 1, fill, 0)).join('')
    return svg(
      tint,
      steam +
        oval(128, 206, 56, 10, '#0000001c') +
        `<clipPath id="g"><path d="M86 62h84l-10 140q-1 6-8 6h-48q-7 0-8-6z"/></clipPath>` +
        path('M86 62h84l-10 140q-1 6-8 6h-48q-7 0-8-6z', '#ffffff88') +
        `<g clip-path="url(#g)">${parts}</g>` +
        line('M96 76l8 118', '#ffffff99', 7),
    )
  }

/** A bag of crisps or nuts with a round label and a few pieces of its content. */
const bag =
  (tint: string, colour: string, content: string): Draw =>
  () =>
    svg(
      tint,
      oval(128, 222, 68, 9, '#0000001c') +
        path('M66 38h124l-8 22q10 70 6 152l-12 8H80l-12-8q-4-82 6-152z', colour) +
        path('M66 38h124l-5 14H71z', '#00000022') +
        path('M80 220h96l8-12H72z', '#00000022') +
        oval(128, 130, 44, 44, '#ffffffe6') +
        content +
        line('M84 70q-4 60 0 120', '#ffffff55', 8),
    )
const crisps =
  path('M104 130q10-26 30-22q24 6 18 22q-8 22-28 18q-22-2-20-18z', '#e8b64a') +
  line('M112 134q16-14 34-8', '#c8922e', 5)
const squares = box(104, 110, 26, 26, '#d9a55b', 5) + box(128, 124, 26, 26, '#c78f45', 5)
const nuts = oval(116, 124, 14, 18, '#a86f3d') + oval(140, 136, 14, 18, '#8f5a2f')

/** A bar in its wrapper, crimped at both ends. */
const bar =
  (tint: string, colour: string, band: string, content: string): Draw =>
  () =>
    svg(
      tint,
      `<g transform="rotate(-24 128 128)">` +
        box(40, 150, 176, 12, '#0000001c', 6) +
        path('M34 92l12 8-12 8 12 8-12 8 12 8-12 8 12 8h164l12-8-12-8 12-8-12-8 12-8-12-8 12-8-12-8z', colour) +
        box(76, 92, 104, 60, band, 0) +
        box(60, 98, 136, 8, '#ffffff44', 4) +
        content +
        `</g>`,
    )
const squaresOfChocolate =
  box(96, 108, 20, 28, '#5a3420', 4) + box(120, 108, 20, 28, '#6b4028', 4) + box(144, 108, 20, 28, '#5a3420', 4)
const wafers = box(94, 110, 68, 8, '#f3dcae', 2) + box(94, 120, 68, 8, '#8a5a35', 2) + box(94, 130, 68, 8, '#f3dcae', 2)
const grain = [100, 118, 136, 154].map((x, at) => oval(x, 118 + (at % 2) * 10, 8, 12, '#c99a4b')).join('')
const leaf =
  path('M98 132q4-34 42-30q18 2 20 6q-10 34-42 32q-14-2-20-8z', '#3c9a5f') + line('M104 130q22-4 46-20', '#e5f5ea', 4)

/** A bottle with its cap and label. */
const bottle =
  (tint: string, body: string, cap: string, label: string, mark = ''): Draw =>
  () =>
    svg(
      tint,
      oval(128, 226, 44, 9, '#0000001c') +
        box(112, 26, 32, 22, cap, 6) +
        path('M114 48h28v14q0 12 12 26q10 12 10 30v86q0 16-16 16h-40q-16 0-16-16v-86q0-18 10-30q12-14 12-26z', body) +
        box(92, 126, 72, 56, label, 0) +
        line('M104 104v104', '#ffffff77', 7) +
        mark,
    )
const drops = path('M128 136q14 18 0 32q-14-14 0-32z', '#3a8fd6')
const bubbles = oval(118, 146, 6, 6, '#3a8fd6') + oval(134, 158, 8, 8, '#3a8fd6') + oval(132, 140, 4, 4, '#3a8fd6')
const peach = oval(128, 154, 17, 16, '#f5a35c') + path('M128 138q12-10 20 0q-10 8-20 0z', '#4f9e58')
const lemon = oval(128, 154, 20, 14, '#f4d84a') + oval(128, 154, 12, 8, '#fbeea0')

/** A can; `slim` ones are narrower. */
const can =
  (tint: string, body: string, mark: string, slim = false): Draw =>
  () => {
    const [x, width] = slim ? [88, 80] : [78, 100]
    return svg(
      tint,
      oval(128, 220, width / 2 + 6, 9, '#0000001c') +
        box(x + 8, 36, width - 16, 186, '#c9ced4', 14) +
        box(x, 52, width, 154, body, 14) +
        box(x + 12, 60, 10, 138, '#ffffff44', 5) +
        oval(128, 38, width / 2 - 12, 7, '#e4e7ea') +
        mark,
    )
  }
const wave = (fill: string) => path('M78 140q26-30 50-6t50-8v34q-26 28-50 6t-50 8z', fill)
const orange =
  oval(128, 132, 30, 30, '#ffd08a') +
  oval(128, 132, 24, 24, '#f59332') +
  line('M128 110v44M106 132h44M113 117l30 30M143 117l-30 30', '#ffd08a', 3)
const bolt = path('M136 88l-32 52h22l-8 40 36-56h-24z', '#f7d64a')

/** A carton with a straw. */
const carton =
  (tint: string, body: string, mark: string): Draw =>
  () =>
    svg(
      tint,
      oval(128, 222, 56, 9, '#0000001c') +
        line('M148 66l14-38h18', '#f2f2f2', 8) +
        path('M84 74l14-18h62l14 18z', '#00000030') +
        path('M84 74l14-18h62l14 18z', body) +
        box(84, 74, 90, 146, body, 6) +
        box(84, 74, 90, 20, '#ffffff33', 0) +
        box(94, 108, 70, 84, '#ffffffe0', 10) +
        mark,
    )
const pear =
  path('M128 120q10 0 12 18q20 10 16 28q-6 20-28 20t-28-20q-4-18 16-28q2-18 12-18z', '#b9c94b') +
  line('M128 122q0-10 8-14', '#6b4a2a', 5)
const cocoa = oval(128, 150, 26, 20, '#6b4028') + line('M110 150q18-14 36 0', '#c99a6b', 5)

const triangle =
  (tint: string, filling: string): Draw =>
  () =>
    svg(
      tint,
      oval(128, 204, 84, 10, '#0000001c') +
        path('M40 196L196 60q12 6 14 22v100q0 14-14 14z', '#f6e3bd') +
        path('M70 170L200 62v16L88 170z', '#d9a55b') +
        path('M84 172L206 80v18l-98 74z', filling) +
        path('M106 174L208 100v12l-78 62z', '#7fbf6a') +
        line('M52 192h150', '#e3c48b', 6),
    )
const roll: Draw = () =>
  svg(
    '#f6ead9',
    oval(128, 196, 92, 11, '#0000001c') +
      path('M44 168q0 26 26 26h116q26 0 26-26z', '#c98b45') +
      path('M36 158q12-12 24 0t24 0 24 0 24 0 24 0 24 0 24 0l6 14H34z', '#e98f94') +
      path('M38 152q14-10 28 2t28-2 28 2 28-2 28 2 34-4l6 12H36z', '#7fbf6a') +
      path('M40 148q4-62 88-62t88 62z', '#dba25a') +
      line('M92 112l-14 22M132 104l-10 24M172 112l-8 20', '#f3cf95', 7),
  )
const croissant: Draw = () =>
  svg(
    '#f8ecd6',
    oval(128, 186, 92, 11, '#0000001c') +
      path('M32 164q-4-56 50-76q46-18 92 0q54 20 50 76q-18 14-34-2q-24-34-62-34t-62 34q-16 16-34 2z', '#d9953f') +
      line('M82 92q4 26 16 42M116 82q2 26 4 46M152 84q-4 24-12 46M180 96q-10 24-24 44', '#b87428', 7),
  )
const gum: Draw = () =>
  svg(
    '#e2f2ec',
    `<g transform="rotate(-18 128 128)">` +
      box(64, 172, 132, 12, '#0000001c', 6) +
      box(60, 86, 136, 84, '#2f9c82', 12) +
      box(60, 86, 44, 84, '#dff4ee', 12) +
      box(84, 86, 20, 84, '#dff4ee', 0) +
      leaf.replace('<path', '<path transform="translate(24 4)"') +
      `</g>`,
  )

/** What each product of the demo looks like, by its code. */
export const drawings: Readonly<Record<string, Draw>> = {
  C01: cup('#efe3d6', '#3b2216', '#8a5a34', 62),
  C02: cup('#efe3d6', '#4a2c1c', undefined, 84),
  C03: cup('#f1e6da', '#6b4028', '#f3e6d4', 70),
  C04: cup('#f4ebe0', '#d9b48a', '#fff7ec', 92),
  C05: glass('#f1e8dc', '#f6efe6', '#e0c3a0', '#a87448', '#fbf6ef'),
  C06: cup('#efe0d2', '#5c3522', '#e8cfae', 92),
  C07: cup('#eadbd0', '#4b2a1b', '#7a4a30', 92),
  C08: glass('#f3efdb', '#d99a3a', '#e0a84a', '#e6b75e'),
  C09: cup('#e6e8ea', '#4a2c1c', '#8a5a34', 62),
  C10: cup('#efe6d0', '#6d4a26', undefined, 84),
  S11: bag('#fbf0d2', '#e0563f', crisps),
  S12: bag('#f3ead8', '#3f7fb5', squares),
  S13: croissant,
  S14: bar('#efe2da', '#7a3b23', '#f2d9b8', squaresOfChocolate),
  S15: bar('#f4ead6', '#c8872f', '#fff3d9', wafers),
  S16: bag('#f1ecd9', '#8a9a3c', squares),
  S17: bag('#f2e7db', '#5b4a8a', nuts),
  S18: bar('#eef2dc', '#6f9a3a', '#f7f3d8', grain),
  S19: gum,
  S21: triangle('#eaf2f4', '#f0b7a0'),
  S22: roll,
  S23: bottle('#e4f1fa', '#bfe0f5', '#2f7fc4', '#ffffff', drops),
  S24: bottle('#e2f3ef', '#bfe8dc', '#2a9a72', '#ffffff', bubbles),
  S25: bottle('#fbeadb', '#d98a3d', '#e0563f', '#fff3e2', peach),
  D31: bottle('#e4f1fa', '#bfe0f5', '#2f7fc4', '#ffffff', drops),
  D32: bottle('#e2f3ef', '#bfe8dc', '#2a9a72', '#ffffff', bubbles),
  D33: can('#f7e2df', '#c4302b', wave('#ffffffdd')),
  D34: can('#e3e4e6', '#26282c', wave('#d9433d')),
  D35: can('#fdeedb', '#f08a24', orange),
  D36: bottle('#f7f3d6', '#c98a2f', '#d8b92e', '#fffbe0', lemon),
  D37: carton('#eff3da', '#7f9a2f', pear),
  D38: can('#e4e6f1', '#2b3a8c', bolt, true),
  D39: carton('#efe4dc', '#8a5a3a', cocoa),
}
