import { expect, test } from 'vitest'
import { lostInputs } from './kept-input.ts'
import { isTest, parseText, sources } from './sources.ts'

/** Inputs that change nothing, and fields of forms with a state of their own, by their component. */
const exceptions: Record<string, string> = {
  'GroupMenu TextInput': 'narrows the groups of a menu',
  'MerchantMenu TextInput': 'narrows the merchants of a menu',
  'BagFinder TextInput': 'looks a bag up',
  'Picker TextInput': 'narrows the machines of a list',
  'Difference TextInput': 'looks a machine up',
  'VpTree TextInput': 'narrows the parameters of a tree',
  'Choices TextInput': 'narrows the choices of a filter',
  'FilterMenu TextInput': 'narrows the filters of a menu',
  'TextFilter TextInput': 'a filter, whose text is in the address once typing rests',
  'Editor Section': 'a field of a form; the state is the open place',
  'AssociateScreen Guide': 'the state is the merchant, by which the guide restarts',
  'DayInput TextInput': 'a field of a form; the state is the open calendar',
  'MomentInput TextInput':
    'a field of a form, which has every text as it is typed; the state parts it into day and time',
  'PhoneField TextInput': 'a field of a form; the state is the country by which a number is read',
  'Lines TextInput': 'values of example commands, filled in by chance',
}
/** The gallery of parts, which saves nothing. */
const gallery = 'portal/features/platform/kit/'
/** The customers' app, whose sessions last until a sign-out. */
const customersApp = 'portal/key/'

const portal = sources().filter(
  ({ path }) =>
    path.startsWith('portal/') && !path.startsWith(gallery) && !path.startsWith(customersApp) && !isTest(path),
)

test('whatever is typed in the portal is kept when the session ends', () => {
  expect(portal.length).toBeGreaterThan(300)
  const lost = lostInputs(portal)
  expect(lost.filter(({ name }) => !(name in exceptions))).toEqual([])
  // An exception without its input is removed.
  expect(Object.keys(exceptions).filter((name) => !lost.some((one) => one.name === name))).toEqual([])
})

const found = (...texts: string[]) =>
  lostInputs(texts.map((text, at) => parseText(`portal/features/x/${at}.tsx`, text))).map(({ name }) => name)

test('text in a state that nothing keeps is found, also behind a component of its own', () => {
  expect(
    found(`export function Note() {
      const [text, setText] = useState('')
      return <Textarea value={text} onChange={setText} />
    }`),
  ).toEqual(['Note Textarea'])
  expect(found("export const Bag = () => <TextInput defaultValue='7' />")).toEqual(['Bag TextInput'])
  const line = 'export function Line({ amount, set }) { return <TextInput value={amount} onChange={set} /> }'
  const dialog = (state: string) => `import { Line } from './0.tsx'
    export function Dialog() {
      ${state}
      return <Line amount={lines.map((one) => one.amount)} set={setLines} />
    }`
  expect(found(line, dialog('const [lines, setLines] = useState([])'))).toEqual(['Dialog Line'])
  const form = (rest: string) => `export function Dialog() {
    const form = useSchemaForm(schema, {})
    ${rest}
  }`
  expect(found(form("return <TextInput {...form.getInputProps('name')} />"))).toEqual(['Dialog TextInput'])
})

test('text that is kept, and what is chosen, are not found', () => {
  const line = 'export function Line({ amount, set }) { return <TextInput value={amount} onChange={set} /> }'
  const dialog = (state: string) => `import { Line } from './0.tsx'
    export function Dialog() {
      ${state}
      return <Line amount={lines[0]} set={setLines} />
    }`
  expect(found(line, dialog("const [lines, setLines] = useKeptState('lines', [])"))).toEqual([])
  const kept =
    "const [lines, setLines] = useState([]); useKeptInput({ name: 'lines', input: useMemo(() => ({ lines })) })"
  expect(found(line, dialog(kept))).toEqual([])
  expect(
    found(`export function Screen() {
      const form = useSchemaForm(schema, {})
      return <FormScreen form={form}><TextInput {...form.getInputProps('name')} /></FormScreen>
    }`),
  ).toEqual([])
  expect(found("export const Tick = () => <input type='checkbox' />")).toEqual([])
})
