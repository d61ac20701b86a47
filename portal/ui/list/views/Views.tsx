import { Flex, Group, Text, UnstyledButton } from '@mantine/core'
import { IconBookmarkPlus, IconRefreshAlert, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { memo, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type SavedView, savedViews } from '#contract/platform/saved-view.ts'
import { queryOf } from '#portal/app/api.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { lazyPart, Part, PartFailure } from '#portal/ui/part/lazyPart.tsx'
import type { View } from '../types.ts'
import classes from './Views.module.css'
import { type Look, pressedView, stateOfView } from './viewState.ts'

const SavedViewMenu = lazyPart(() => import('./SavedViewMenu.tsx'))
const ViewDialog = lazyPart(() => import('./ViewDialog.tsx'), ['list', 'errors'])

interface Props {
  tableId: string
  /** Ready views; "All" is first, unless one of them has no filters and replaces it. */
  views: readonly View[]
  look: Look
  /** Filters the list, and sorts it if the view has an order. */
  choose: (part: Partial<Pick<Look['state'], 'filters' | 'ord' | 'ordType'>>) => void
  setHeaders: (headers: NonNullable<SavedView['headers']>) => void
}

/** Where the row is too long and scrolls, the open view stays in sight, with its menu. */
function useOpenViewInSight(openId: string | undefined, hasMenu: boolean) {
  const row = useRef<HTMLDivElement>(null)
  // oxlint-disable-next-line react/exhaustive-deps -- runs again when another view is opened
  useEffect(() => {
    // After the page's layout, which measuring at once would repeat.
    const later = setTimeout(() => {
      const views = row.current
      const open = row.current?.querySelector<HTMLElement>('[aria-pressed="true"]')
      if (!views || !open) return
      const from = open.offsetLeft - views.offsetLeft
      const to = open.offsetWidth + (hasMenu ? menuWidth : 0)
      if (from < views.scrollLeft || from + to > views.scrollLeft + views.clientWidth)
        views.scrollLeft = from + to - views.clientWidth
    })
    return () => clearTimeout(later)
  }, [openId, hasMenu])
  return row
}

/** Views above a list: the ready ones, then those saved by the user or a colleague. */
export const Views = memo(function Views({ tableId, views, look, choose, setHeaders }: Props) {
  const { t } = useTranslation(['list', 'ui'])
  const format = useFormat()
  const merchant = useMerchant()
  const [chosenId, setChosenId] = useState<string>()
  const [isSaving, setSaving] = useState(false)
  const { data: saved = none } = useQuery(
    queryOf(savedViews.listViews, { params: { merchantId: merchant.id }, query: { tableId } }),
  )
  const hasAll = views.some(({ filters }) => Object.keys(filters).length === 0)
  const ready: View[] = hasAll ? [...views] : [{ id: 'all', name: t('list:all'), filters: {} }, ...views]
  const pressed = pressedView(ready, saved, chosenId, look)
  const active = saved.find(({ id }) => id === pressed?.id)
  const row = useOpenViewInSight(pressed?.id, active !== undefined)

  const chooseSaved = (view: SavedView) => {
    const { filters, ord, ordType } = stateOfView(view, look.rules)
    setChosenId(view.id)
    if (view.headers) setHeaders(view.headers)
    choose({ filters, ord, ordType })
  }
  return (
    <Flex gap={{ base: 'xs', xs: 'wide' }} mb="part" className={`${classes.row} no-print`}>
      <Flex
        ref={row}
        gap="wide"
        flex="1"
        miw={0}
        mb={-1}
        className={classes.views}
        role="group"
        aria-label={t('list:views')}
      >
        {ready.map((view) => (
          <UnstyledButton
            key={view.id}
            className={`${classes.view} inks`}
            aria-pressed={pressed?.id === view.id}
            onClick={() => {
              setChosenId(undefined)
              choose({ filters: view.filters })
            }}
          >
            {view.name}
            {view.count !== undefined && (
              <Text span c="faint" fz="sm" fw={400}>
                {format.number(view.count)}
              </Text>
            )}
          </UnstyledButton>
        ))}
        {saved.map((view) => (
          <SavedViewButton
            key={view.id}
            view={view}
            isActive={view === active}
            isChanged={pressed?.isChanged ?? false}
            look={look}
            open={() => chooseSaved(view)}
            setChosenId={setChosenId}
          />
        ))}
      </Flex>
      <UnstyledButton className={`${classes.save} inks`} onClick={() => setSaving(true)}>
        <IconBookmarkPlus size={15} aria-hidden />
        <span className={classes.saveName}>{t('list:view.save')}</span>
      </UnstyledButton>
      {isSaving && (
        <Part failed={(again) => <PartFailure again={again} close={() => setSaving(false)} />}>
          <ViewDialog
            tableId={tableId}
            look={look}
            close={(made) => {
              setSaving(false)
              if (made) setChosenId(made.id)
            }}
          />
        </Part>
      )}
    </Flex>
  )
})

interface SavedViewProps {
  view: SavedView
  isActive: boolean
  /** The list differs from the active view. */
  isChanged: boolean
  look: Look
  open: () => void
  setChosenId: (id: string | undefined) => void
}

/** A saved view; the active one has a menu. */
function SavedViewButton({ view, isActive, isChanged, look, open, setChosenId }: SavedViewProps) {
  const { t } = useTranslation(['list', 'ui'])
  return (
    <Group component="span" gap={0} wrap="nowrap" display="inline-flex" flex="none" data-pressed={isActive}>
      <UnstyledButton
        className={`${classes.view} inks`}
        aria-pressed={isActive}
        title={view.isShared ? t('list:view.sharedBy', { name: view.createdBy ?? t('ui:provider') }) : undefined}
        onClick={open}
      >
        {view.isShared && <IconUsers size={14} className={classes.mark} aria-label={t('list:view.shared')} />}
        <span className={classes.name}>{view.name}</span>
        {isActive && isChanged && <span className={classes.changed}>{t('list:view.changed')}</span>}
      </UnstyledButton>
      {isActive && (
        <Part
          fallback={<Text span flex="none" w={26} ml={3} />}
          failed={(again) => (
            <UnstyledButton flex="none" w={26} ml={3} onClick={again} aria-label={t('ui:error.retry')}>
              <IconRefreshAlert size={16} aria-hidden />
            </UnstyledButton>
          )}
        >
          <SavedViewMenu
            view={view}
            look={look}
            hold={() => setChosenId(view.id)}
            forget={() => setChosenId(undefined)}
          />
        </Part>
      )}
    </Group>
  )
}

const none: readonly SavedView[] = []
/** The button of a saved view's menu and the place before it, in pixels. */
const menuWidth = 29
