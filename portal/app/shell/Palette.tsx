import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight, type SpotlightActionData, type SpotlightActionGroupData } from '@mantine/spotlight'
import '@mantine/spotlight/styles.layer.css'
import { IconDeviceTablet, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { machines } from '#contract/machine.ts'
import { screens } from '../../screens.ts'
import { pagedQueryOf } from '../api.ts'
import { useMerchant } from '../merchant.tsx'
import { useSession } from '../session/useSession.ts'
import { maySee } from './menu.ts'
import classes from './Palette.module.css'

const [store, spotlight] = createSpotlight()
/** Names are looked up on the server from this many letters on. */
const enoughLetters = 3
const noFeatures = new Set<never>()

/** Spotlight selects its first action when one types, and has none when the answer comes later; it marks the selected one in the page. */
function selectFirst() {
  const actions = [...document.querySelectorAll('[data-action]')]
  if (actions.length === 0 || actions.some((action) => action.hasAttribute('data-selected'))) return
  actions[0]?.setAttribute('data-selected', 'true')
  store.updateState((state) => ({ ...state, selected: 0 }))
}

/** The command palette: screens at once, machines from three letters on. */
export default function Palette({ close }: { close: () => void }) {
  const { t } = useTranslation('shell')
  const { me } = useSession()
  const { id: merchantId } = useMerchant()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), 150)
  // Open before it is drawn, so that it need not be drawn twice.
  useState(() => spotlight.open())

  const { data, isFetching } = useQuery({
    ...pagedQueryOf(machines.listMachines, { params: { merchantId }, query: { search, size: 8 } }),
    enabled: search.length >= enoughLetters,
  })

  const needle = text.trim().toLocaleLowerCase()
  const pages = useMemo(
    (): SpotlightActionData[] =>
      screens
        .filter((screen) => !screen.path.includes('$') && me && maySee(screen, me.role, noFeatures))
        .map(({ path, label, menu }) => ({
          id: path,
          label: t(`screens.${label}`),
          leftSection: menu ? <menu.icon size={18} stroke={1.6} aria-hidden /> : undefined,
          rightSection: menu?.key ? <kbd>g {menu.key}</kbd> : undefined,
          onClick: () => void navigate({ to: path } as never),
        }))
        .filter(({ label }) => label.toLocaleLowerCase().includes(needle)),
    [me, needle, t, navigate],
  )
  const found: SpotlightActionData[] =
    search.length < enoughLetters || needle.length < enoughLetters
      ? []
      : (data?.items ?? []).map((machine) => ({
          id: machine.id,
          label: machine.name,
          description: [machine.serial, machine.groupName, machine.merchantName].filter(Boolean).join(' · '),
          leftSection: <IconDeviceTablet size={18} stroke={1.6} aria-hidden />,
          onClick: () =>
            void navigate({
              to: '/devices/$posId',
              params: { posId: machine.id },
              search: { merchant: machine.merchantId },
            } as never),
        }))
  // Selects again when the answer has come.
  useEffect(selectFirst, [data])
  const groups: SpotlightActionGroupData[] = [
    { group: t('search.machines'), actions: found },
    { group: t('search.screens'), actions: pages },
  ].filter(({ actions }) => actions.length > 0)

  return (
    <Spotlight
      store={store}
      actions={groups}
      query={text}
      onQueryChange={setText}
      onSpotlightClose={close}
      filter={(_, all) => all}
      shortcut={null}
      scrollable
      maxHeight={420}
      highlightQuery
      overlayProps={{ blur: 0, backgroundOpacity: 0.38 }}
      attributes={{ content: { 'aria-label': t('search.open') } }}
      classNames={{ search: classes.search, actionsGroup: classes.group, action: classes.action }}
      nothingFound={t(isFetching ? 'search.looking' : needle.length < enoughLetters ? 'search.more' : 'search.nothing')}
      searchProps={{
        leftSection: <IconSearch size={18} aria-hidden />,
        placeholder: t('search.prompt'),
        'aria-label': t('search.open'),
      }}
    />
  )
}
