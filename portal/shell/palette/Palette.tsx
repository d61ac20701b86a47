import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight, type SpotlightActionData, type SpotlightActionGroupData } from '@mantine/spotlight'
import { contains } from '#domain/frame/folded.ts'
import '@mantine/spotlight/styles.layer.css'
import { IconBuildingStore, IconFile, IconSearch, type TablerIcon } from '@tabler/icons-react'
import { useQueries } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { enoughLetters } from '#contract/frame/shapes.ts'
import { type MachineRow, machines } from '#contract/machines/machine.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { rowQuery } from '#portal/app/api.ts'
import { isEnabled } from '#portal/app/enabled.ts'
import { useMerchant, useMerchants, useSwitchMerchant } from '#portal/app/merchant.tsx'
import { useSession } from '#portal/app/session/useSession.ts'
import { screens } from '#portal/screens.ts'
import { useFocusBack } from '#portal/ui/dialog/useFocusBack.ts'
import { useOpenPlace } from '#portal/ui/panel/useOpenPlace.ts'
import { maySee } from '../menu/menu.ts'
import { screenIcons } from '../menu/screenIcons.tsx'
import classes from './Palette.module.css'
import { recentFirst, recents, rememberRecent } from './paletteRecents.ts'
import { type PaletteResult, sources, wordFound } from './paletteSources.ts'
import { usePaletteActs } from './usePaletteActs.tsx'

const [store, spotlight] = createSpotlight()
const mostMerchants = 6

/** Spotlight selects its first action on typing, but not when an answer arrives later; it marks the selected one in the page. */
function selectFirst() {
  const actions = [...document.querySelectorAll('[data-action]')]
  if (actions.length === 0 || actions.some((action) => action.hasAttribute('data-selected'))) return
  actions[0]?.setAttribute('data-selected', 'true')
  store.updateState((state) => ({ ...state, selected: 0 }))
}

type PaletteActs = ReturnType<typeof usePaletteActs>

/** The answers of all sources that the user may search, from two letters on. */
function useAnswers(acts: PaletteActs) {
  const { me } = useSession()
  const merchant = useMerchant()
  const [search] = useDebouncedValue(acts.search, 150)
  const isLong = acts.search.length >= enoughLetters
  const allowedSources = sources.filter((source) => me && roleMay(me.role, source.needs) && isEnabled(source, merchant))
  const answers = useQueries({
    queries: allowedSources.map((source) => ({
      ...rowQuery(source.row, source.ask(merchant.id, search)),
      placeholderData: (previous: unknown) => (source.isFor ? undefined : previous),
      enabled: search.length >= enoughLetters && (source.isFor?.(search) ?? true),
      // A deleted record is not an error of the search.
      retry: false,
    })),
  })
  const machinesAt = allowedSources.findIndex(({ row }) => row === machines.listMachines)
  return {
    isLong,
    sources: allowedSources,
    /** The results of a source, in its order. */
    resultsOf: (index: number): PaletteResult[] => {
      const data = answers[index]?.data
      return isLong && data ? (allowedSources[index]?.show(data, search) ?? []) : []
    },
    machines: (isLong && (answers[machinesAt]?.data as { items: MachineRow[] } | undefined)?.items) || [],
    isFetching: answers.some((answer) => answer.isFetching),
    /** Changes when an answer has arrived. */
    arrivals: answers.map(({ dataUpdatedAt }) => dataUpdatedAt).join(),
  }
}

/** Entries that open their place, and are then among the recent ones. */
function useEntries() {
  const { t } = useTranslation('shell')
  const switchTo = useSwitchMerchant()
  const openPlace = useOpenPlace()
  const entry = (
    group: string,
    { id, label, description, place }: PaletteResult,
    Icon: TablerIcon,
    end?: ReactNode,
  ) => ({
    id,
    label,
    description,
    leftSection: <Icon size={18} stroke={1.6} aria-hidden />,
    rightSection: end,
    onClick: () => {
      rememberRecent({ id, label, description, place, group })
      if (group === 'merchants') void switchTo(id)
      else openPlace(place)
    },
  })
  return {
    entry,
    screenEntry: ({ path, label, menu }: (typeof screens)[number], foundBy?: string) =>
      entry(
        'screens',
        {
          id: path,
          label: t(`screens.${label}`),
          ...(foundBy && { description: foundBy }),
          place: { to: path },
        },
        screenIcons[label] ?? IconFile,
        menu?.key && <kbd>g {menu.key}</kbd>,
      ),
    merchantEntry: ({ id, name }: { id: string; name: string }) =>
      entry('merchants', { id, label: name, place: { to: '/dashboard' } }, IconBuildingStore),
  }
}

/** All groups of the palette that have entries, for a text. */
function useGroups(needle: string, acts: PaletteActs, answers: ReturnType<typeof useAnswers>) {
  const { t } = useTranslation(['shell', 'palette'])
  const { me } = useSession()
  const merchant = useMerchant()
  const merchants = useMerchants()
  const [lately] = useState(recents)
  const { entry, screenEntry, merchantEntry } = useEntries()
  const pages = useMemo(
    () => screens.filter((screen) => !screen.path.includes('$') && me && maySee(screen, me, merchant)),
    [me, merchant],
  )
  // Its name may have changed with the language, or the merchant's features, since it was opened.
  const again = lately.flatMap((one): SpotlightActionData[] => {
    if (one.group === 'screens') return pages.filter(({ path }) => path === one.id).map((page) => screenEntry(page))
    if (one.group === 'merchants') return merchants.filter(({ id }) => id === one.id).map(merchantEntry)
    const source = answers.sources.find(({ group }) => group === one.group)
    return source ? [entry(one.group, one, source.icon)] : []
  })
  const others = [{ id: allMerchants, name: t('allMerchants') }, ...merchants].filter(({ id }) => id !== merchant.id)
  const doing = { group: t('palette:title'), actions: acts.actions(answers.machines) }
  const groups: SpotlightActionGroupData[] = [
    { group: t('palette:search.recent'), actions: needle ? [] : again },
    // A typed action precedes the machines it applies to.
    ...(acts.isNamed ? [doing] : []),
    ...answers.sources.map((source, index) => ({
      group: t(`palette:search.${source.group}`),
      actions: recentFirst(answers.resultsOf(index), lately).map((result) => entry(source.group, result, source.icon)),
    })),
    ...(acts.isNamed ? [] : [doing]),
    {
      group: t('palette:search.merchants'),
      actions:
        needle && merchants.length > 1
          ? recentFirst(
              others.filter(({ name }) => contains(name, needle)),
              lately,
            )
              .slice(0, mostMerchants)
              .map(merchantEntry)
          : [],
    },
    {
      group: t('palette:search.screens'),
      actions: recentFirst(
        needle
          ? pages.flatMap((page) => {
              if (contains(t(`screens.${page.label}`), needle)) return [screenEntry(page)]
              const word = wordFound(t(`palette:finds.${page.label}`, { defaultValue: '' }), needle)
              return word === undefined ? [] : [screenEntry(page, word)]
            })
          : pages.map((page) => screenEntry(page)).filter(({ id }) => again.every((one) => one.id !== id)),
        lately,
      ),
    },
  ]
  return groups.filter(({ actions }) => actions.length > 0)
}

/** The command palette: screens and merchants at once, server results from two letters on; recently opened entries first. */
export default function Palette({ close }: { close: () => void }) {
  const { t } = useTranslation(['shell', 'palette'])
  const [text, setText] = useState('')
  useFocusBack()
  const acts = usePaletteActs({ text, setText, close })
  // Open before the first render, so that it renders once.
  useState(() => spotlight.open())
  const answers = useAnswers(acts)
  const groups = useGroups(text.trim(), acts, answers)
  // Selects again when an answer has arrived.
  // oxlint-disable-next-line react/exhaustive-deps -- each time an answer arrives
  useEffect(selectFirst, [answers.arrivals])

  return (
    <>
      <Spotlight
        store={store}
        actions={groups}
        query={text}
        onQueryChange={setText}
        onSpotlightClose={acts.onPaletteClose}
        filter={(_, all) => all}
        shortcut={null}
        // Centred, the field would move with each answer.
        centered={false}
        scrollable
        maxHeight={420}
        highlightQuery
        overlayProps={{ blur: 0, backgroundOpacity: 0.38 }}
        attributes={{ content: { 'aria-label': t('search.open') } }}
        classNames={{ search: classes.search, actionsGroup: classes.group, action: classes.action }}
        nothingFound={t(
          answers.isFetching
            ? 'palette:search.looking'
            : answers.isLong
              ? 'palette:search.nothing'
              : 'palette:search.more',
        )}
        searchProps={{
          leftSection: <IconSearch size={18} aria-hidden />,
          placeholder: t('search.prompt'),
          'aria-label': t('search.open'),
        }}
      />
      {acts.dialog}
    </>
  )
}
