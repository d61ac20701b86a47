import { Drawer, Flex, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useAddressQuery, useGo } from '#portal/app/go.ts'
import { isId, oneOf } from '#portal/app/search.ts'
import { Panel } from '#portal/ui/part/Panel.tsx'
import { ErrorState } from '../part/ErrorState.tsx'
import { useIsPhone } from '../useIsPhone.ts'
import classes from './DetailDrawer.module.css'

interface Props {
  isOpen: boolean
  close: () => void
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

/** One row of a list in full, beside the list; full-screen on a phone. */
export function DetailDrawer({ isOpen, close, title, badges, actions, error, retry, children }: Props) {
  const { t } = useTranslation(['ui', 'shell'])
  const isPhone = useIsPhone()
  return (
    <Drawer
      opened={isOpen}
      onClose={close}
      position="right"
      size={isPhone ? '100%' : 520}
      title={
        <>
          <Text span display="block" fz="figure" fw={660} lh="lg" className="breaks">
            {title ?? t('shell:loading')}
          </Text>
          {badges && (
            <Flex component="span" gap="snug" wrap="wrap" mt="snug" fz="sm" fw={400}>
              {badges}
            </Flex>
          )}
        </>
      }
      closeButtonProps={{ 'aria-label': t('ui:close'), size: isPhone ? 'xl' : 'md' }}
      classNames={{
        content: classes.content,
        header: classes.header,
        title: classes.title,
        body: classes.body,
      }}
    >
      {error ? (
        <ErrorState error={error} retry={retry} />
      ) : (
        <>
          <Stack gap="part" flex="1" className={classes.parts}>
            {children}
          </Stack>
          {actions && <div className={classes.actions}>{actions}</div>}
        </>
      )}
    </Drawer>
  )
}

/** A named part of a drawer; `note` is small text after the name, such as the zone of its times. */
export const DrawerPart = ({ name, note, children }: { name: ReactNode; note?: string; children: ReactNode }) => (
  <Panel component="section" miw={0} pt={13} pb={15} px="md">
    <Title order={3} mb={9} fz="head" fw={650} lh="md">
      {name}
      {note && (
        <Text span ml={7} c="dimmed" fz="xs" fw={400}>
          {note}
        </Text>
      )}
    </Title>
    {children}
  </Panel>
)

/** The id of the open row; it is in the address, so that a link opens the same row and Back closes it. */
export function useOpenDetail(name: string) {
  const addressKey = oneOf(useAddressQuery(), name)
  // Some rows have two ids: an alarm has its machine's and its own.
  const key = addressKey?.split('.').every(isId) ? addressKey : undefined
  const go = useGo()
  const show = useCallback(
    (value: string | undefined) =>
      void go({ here: { [name]: value } }, { replace: value === undefined, resetScroll: false }),
    [go, name],
  )
  const close = useCallback(() => show(undefined), [show])
  return { key, open: show, close }
}
