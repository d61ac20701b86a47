import {
  type ComboboxItem,
  type ComboboxParsedItem,
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core'
import { contains } from '#domain/frame/folded.ts'

/** Colours by meaning. Their values are the variables of tokens.css, so a component needs no scheme of its own. */
export type Tone = 'ok' | 'warn' | 'crit' | 'info' | 'gold' | 'mute'
const tones: readonly string[] = ['ok', 'warn', 'crit', 'info', 'gold', 'mute'] satisfies Tone[]

/** Mantine requires ten shades of a colour; ours has one per scheme, which the resolver below inserts. */
const tuple = (one: string): MantineColorsTuple => [one, one, one, one, one, one, one, one, one, one]

const line = '1px solid transparent'
const variantColorResolver: VariantColorsResolver = (input) => {
  const color = input.color ?? input.theme.primaryColor
  if (color === 'ink') {
    if (input.variant === 'filled')
      return { background: 'var(--primary)', hover: 'var(--primary-hover)', color: 'var(--on-primary)', border: line }
    if (input.variant === 'light')
      return { background: 'var(--mute-soft)', hover: 'var(--line)', color: 'var(--ink)', border: line }
    if (input.variant === 'subtle' || input.variant === 'transparent')
      return {
        background: 'transparent',
        hover: 'var(--mute-soft)',
        color: 'var(--ink-2)',
        hoverColor: 'var(--ink)',
        border: line,
      }
  }
  if (tones.includes(color)) {
    const strong = `var(--${color})`
    const soft = `var(--${color}-soft)`
    if (input.variant === 'filled') return { background: strong, hover: strong, color: 'var(--on-state)', border: line }
    if (input.variant === 'light') return { background: soft, hover: soft, color: strong, border: line }
    if (input.variant === 'subtle') return { background: 'transparent', hover: soft, color: strong, border: line }
    if (input.variant === 'outline')
      return { background: 'transparent', hover: soft, color: strong, border: `1px solid ${strong}` }
  }
  return defaultVariantColorsResolver(input)
}

const toneVariables = (color: string) => ({
  [`--mantine-color-${color}-filled`]: `var(--${color})`,
  [`--mantine-color-${color}-filled-hover`]: `var(--${color})`,
  [`--mantine-color-${color}-light`]: `var(--${color}-soft)`,
  [`--mantine-color-${color}-light-hover`]: `var(--${color}-soft)`,
  [`--mantine-color-${color}-light-color`]: `var(--${color})`,
  [`--mantine-color-${color}-outline`]: `var(--${color})`,
  [`--mantine-color-${color}-outline-hover`]: `var(--${color}-soft)`,
  [`--mantine-color-${color}-text`]: `var(--${color})`,
})

/** The same variables in both schemes, because their tokens change. */
const shared = {
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-bright': 'var(--ink)',
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-dimmed': 'var(--ink-2)',
  '--mantine-color-placeholder': 'var(--ink-3)',
  '--mantine-color-error': 'var(--crit)',
  '--mantine-color-success': 'var(--ok)',
  '--mantine-color-anchor': 'var(--gold)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--sunken)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-border': 'var(--line-strong)',
  '--mantine-color-disabled': 'var(--mute-soft)',
  '--mantine-color-disabled-color': 'var(--ink-3)',
  '--mantine-color-disabled-border': 'var(--line)',
  '--mantine-primary-color-contrast': 'var(--on-primary)',
  '--mantine-color-ink-filled': 'var(--primary)',
  '--mantine-color-ink-filled-hover': 'var(--primary-hover)',
  '--mantine-color-ink-light': 'var(--mute-soft)',
  '--mantine-color-ink-light-hover': 'var(--line)',
  '--mantine-color-ink-light-color': 'var(--ink)',
  '--mantine-color-ink-outline': 'var(--ink)',
  '--mantine-color-faint-text': 'var(--ink-3)',
  ...tones.reduce<Record<string, string>>((all, tone) => Object.assign(all, toneVariables(tone)), {}),
}

export const cssVariablesResolver: CSSVariablesResolver = () => ({ variables: {}, light: shared, dark: shared })

/** The specification's breakpoints, in em: 600, 960, 1264 and 1904 px. */
export const breakpoints = { xs: '37.5em', sm: '60em', md: '79em', lg: '119em', xl: '160em' }

/** The choices whose label contains the typed text; Mantine's own filter compares accents too. */
function optionsContaining<T extends string>({
  options,
  search,
  limit,
}: {
  options: ComboboxParsedItem<T>[]
  search: string
  limit: number
}): ComboboxParsedItem<T>[] {
  const matches: ComboboxParsedItem<T>[] = []
  for (const option of options) {
    if (matches.length === limit) break
    if ('items' in option)
      matches.push({
        group: option.group,
        items: optionsContaining({ options: option.items, search, limit: limit - matches.length }) as ComboboxItem<T>[],
      })
    else if (contains(option.label, search)) matches.push(option)
  }
  return matches
}

const dim = { backgroundOpacity: 0.38 }

export const theme = createTheme({
  primaryColor: 'ink',
  variantColorResolver,
  black: '#1c1b19',
  colors: {
    ink: tuple('#1c1b19'),
    ok: tuple('#157347'),
    warn: tuple('#8a5200'),
    crit: tuple('#b42d23'),
    info: tuple('#26619f'),
    gold: tuple('#8f5f12'),
    mute: tuple('#5d5b55'),
    faint: tuple('#6f6d66'),
    gray: [
      '#f6f6f4',
      '#f0f0ed',
      '#e6e5e1',
      '#d5d4cf',
      '#b9b7b0',
      '#8d8b84',
      '#6f6d66',
      '#5d5b55',
      '#3b3a36',
      '#1c1b19',
    ],
    dark: [
      '#efeeea',
      '#d0cec7',
      '#b0aea6',
      '#96948c',
      '#4b4a45',
      '#3b3b37',
      '#242422',
      '#1c1c1a',
      '#181817',
      '#141413',
    ],
  },
  fontFamily: '"Inter Variable", Inter, system-ui, sans-serif',
  fontFamilyMonospace: 'var(--mono)',
  headings: {
    fontWeight: '680',
    sizes: { h1: { fontSize: '20px', lineHeight: '28px' }, h2: { fontSize: '15px', lineHeight: '22px' } },
  },
  fontSizes: {
    xs: '12px',
    fine: '12.5px',
    sm: '13px',
    head: '13.5px',
    md: '14px',
    lead: '15px',
    lg: '16px',
    figure: '17px',
    xl: '20px',
  },
  lineHeights: { xs: '16px', fine: '17px', sm: '18px', md: '20px', lg: '24px', xl: '28px' },
  spacing: {
    hair: '2px',
    tight: '4px',
    snug: '6px',
    near: '8px',
    xs: '10px',
    sm: '12px',
    part: '14px',
    md: '16px',
    wide: '18px',
    lg: '20px',
    far: '24px',
    xl: '32px',
  },
  radius: { xs: '4px', sm: '6px', inner: 'var(--radius-s)', md: '8px', lg: 'var(--radius)', xl: '14px' },
  defaultRadius: 'md',
  breakpoints,
  respectReducedMotion: true,
  cursorType: 'pointer',
  shadows: {
    xs: 'var(--shadow)',
    sm: 'var(--shadow)',
    md: 'var(--shadow-pop)',
    lg: 'var(--shadow-pop)',
    xl: 'var(--shadow-pop)',
  },
  components: {
    Button: { defaultProps: { size: 'xs' } },
    ActionIcon: { defaultProps: { variant: 'subtle', size: 'md' } },
    Menu: {
      // The element that would take the first focus is not an item, which a menu must not contain.
      defaultProps: {
        shadow: 'md',
        radius: 'lg',
        transitionProps: { duration: 80 },
        withInitialFocusPlaceholder: false,
      },
    },
    Popover: { defaultProps: { shadow: 'md', radius: 'lg', transitionProps: { duration: 80 } } },
    Modal: {
      // A dialog's header is no banner of the page.
      defaultProps: {
        radius: 'lg',
        centered: true,
        transitionProps: { duration: 100 },
        overlayProps: dim,
        attributes: { header: { role: 'presentation' } },
      },
      styles: { title: { fontSize: 16, fontWeight: 650 } },
    },
    Drawer: {
      defaultProps: {
        transitionProps: { duration: 140 },
        overlayProps: dim,
        attributes: { header: { role: 'presentation' } },
      },
      styles: { title: { fontSize: 16, fontWeight: 650 } },
    },
    // Enter after a few letters takes the first match.
    Select: { defaultProps: { filter: optionsContaining, selectFirstOptionOnChange: true } },
    MultiSelect: { defaultProps: { filter: optionsContaining } },
    Autocomplete: { defaultProps: { filter: optionsContaining } },
    TagsInput: { defaultProps: { filter: optionsContaining } },
    Checkbox: { defaultProps: { iconColor: 'var(--on-primary)' } },
    // Without a colour its text would be white in both schemes.
    Chip: { defaultProps: { color: 'ink' } },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: false } },
    // A text looks like its surroundings in what its own props leave open.
    Text: { defaultProps: { inherit: true } },
    Anchor: { defaultProps: { inherit: false } },
    Input: { defaultProps: { size: 'sm' } },
    InputWrapper: { defaultProps: { size: 'sm' } },
    Loader: { defaultProps: { color: 'gold', size: 'sm' } },
  },
})
