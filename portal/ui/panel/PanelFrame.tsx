import { ActionIcon, Box, Button, Flex, Stack, Text } from '@mantine/core'
import { IconArrowsDiagonal, IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, sentenceOf } from '#portal/app/apiError.ts'
import { pageOfPanel, panelText } from '#portal/app/panel.ts'
import drawer from '../dialog/DetailDrawer.module.css'
import { DetailDrawer } from '../dialog/DetailDrawer.tsx'
import { EmptyState, ErrorState } from '../part/ErrorState.tsx'
import { useIsPhone } from '../useIsPhone.ts'
import { PlaceLink } from '../value/PlaceLink.tsx'
import { useOpenedPanel } from './PanelContext.ts'
import { usePanelKeys } from './usePanelKeys.ts'

interface Props {
  /** Undefined while it loads. */
  title: ReactNode
  /** Badges below the title. */
  badges?: ReactNode
  /** Actions, at the foot. */
  actions?: ReactNode
  /** Why it could not be loaded. */
  error?: unknown
  retry?: () => unknown
  children: ReactNode
}

/** Above a list's own bars, below menus and dialogs; it scrolls, and the screen behind it stays where it is. */
const look = {
  zIndex: 130,
  overflowY: 'auto',
  overscrollBehavior: 'contain',
  borderLeft: '1px solid var(--line)',
  boxShadow: 'var(--shadow-pop)',
  outline: 0,
} as const

/** A record beside the screen, which stays usable: its list keeps its place. On a phone the panel covers the screen. */
export function PanelFrame(props: Props) {
  const isPhone = useIsPhone()
  return isPhone ? <Cover {...props} /> : <Side {...props} />
}

function Cover({ error, retry, children, actions, ...head }: Props) {
  const { key, close } = useOpenedPanel()
  return (
    <DetailDrawer
      isOpen
      close={close}
      {...head}
      actions={
        !error && (
          <>
            {actions}
            <PageButton />
          </>
        )
      }
    >
      {error ? <Failed key={panelText(key)} error={error} retry={retry} /> : children}
    </DetailDrawer>
  )
}

/** To the record's page, if it has one. */
function PageButton() {
  const { t } = useTranslation('panel')
  const place = pageOfPanel(useOpenedPanel().key)
  if (!place) return null
  return (
    <Button<typeof PlaceLink> component={PlaceLink} variant="default" place={place} isPage>
      {t('page')}
    </Button>
  )
}

function Side({ title, badges, actions, error, retry, children }: Props) {
  const { t } = useTranslation(['panel', 'ui', 'shell'])
  const { key } = useOpenedPanel()
  const panel = useRef<HTMLDivElement>(null)
  const titleId = useId()
  // So that its keys work.
  useEffect(() => panel.current?.focus({ preventScroll: true }), [])
  const text = panelText(key)
  // Another record starts at its top.
  // oxlint-disable-next-line react/exhaustive-deps -- runs when the record changes
  useEffect(() => {
    if (panel.current) panel.current.scrollTop = 0
  }, [text])
  return (
    <>
      {/* The row of the record, apart from selected rows. */}
      <style>{`[data-row][data-panel="${text}"] { background: var(--gold-soft) !important; }
        [data-row][data-panel="${text}"] > :first-child { box-shadow: inset 3px 0 var(--gold-fill) !important; }`}</style>
      <Flex
        ref={panel}
        // A dialog beside the screen: neither has to be closed for the other.
        role="dialog"
        aria-labelledby={titleId}
        tabIndex={-1}
        direction="column"
        pos="fixed"
        top="var(--top)"
        right={0}
        bottom={0}
        w="min(500px, 100%)"
        bg="var(--bg)"
        className="no-print"
        style={look}
      >
        <Box pos="sticky" top={0} pt={14} pb="xs" pl={20} pr="sm" bg="var(--bg)" style={{ zIndex: 1 }}>
          <Flex gap="near" align="flex-start" justify="space-between">
            <Text
              id={titleId}
              component="h2"
              fz="figure"
              fw={660}
              lh="lg"
              miw={0}
              className="breaks"
              aria-live="polite"
            >
              {title ?? (error ? t('panel:missing') : t('shell:loading'))}
            </Text>
            <Buttons />
          </Flex>
          {badges && (
            <Flex gap="snug" wrap="wrap" mt="snug" fz="sm">
              {badges}
            </Flex>
          )}
        </Box>
        {error ? (
          <Failed key={text} error={error} retry={retry} />
        ) : (
          <>
            <Stack gap="part" flex="1" className={drawer.parts}>
              {children}
            </Stack>
            {actions && <div className={drawer.actions}>{actions}</div>}
          </>
        )}
      </Flex>
    </>
  )
}

/** The neighbours in the list, the page, and the end. */
function Buttons() {
  const { t } = useTranslation(['panel', 'ui'])
  const { key, close } = useOpenedPanel()
  const { previous, next, show } = usePanelKeys()
  const place = pageOfPanel(key)
  const step = (name: 'previous' | 'next', icon: ReactNode, to: typeof next) => (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={t(`panel:${name}`)}
      title={t(`panel:${name}`)}
      // Not disabled: a disabled button would lose the focus at the end of the list.
      aria-disabled={!to}
      opacity={to ? 1 : 0.4}
      onClick={() => to && show(to)}
    >
      {icon}
    </ActionIcon>
  )
  return (
    <Flex gap="hair" flex="none">
      {step('previous', <IconChevronUp size={18} aria-hidden />, previous)}
      {step('next', <IconChevronDown size={18} aria-hidden />, next)}
      {place && (
        <ActionIcon<typeof PlaceLink>
          component={PlaceLink}
          variant="subtle"
          color="gray"
          place={place}
          isPage
          aria-label={t('panel:page')}
          title={t('panel:page')}
        >
          <IconArrowsDiagonal size={16} aria-hidden />
        </ActionIcon>
      )}
      <ActionIcon variant="subtle" color="gray" aria-label={t('ui:close')} title={t('ui:close')} onClick={close}>
        <IconX size={18} aria-hidden />
      </ActionIcon>
    </Flex>
  )
}

/** A record that does not exist, or not for this reader, or that could not be loaded. */
function Failed({ error, retry }: Pick<Props, 'error' | 'retry'>) {
  const { t } = useTranslation(['errors', 'panel'])
  if (error instanceof ApiError && error.status === 404)
    return <EmptyState title={sentenceOf((key, values) => t(key, values), error)} text={t('panel:missingText')} />
  return <ErrorState error={error} retry={retry} />
}
