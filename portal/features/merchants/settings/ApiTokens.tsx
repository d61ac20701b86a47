import { Button, Flex, Modal, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ApiToken, apiTokens, mostTokens } from '#contract/merchants/api-token.ts'
import { queryOf, useCommand } from '#portal/app/api.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import { useConfirm } from '#portal/ui/dialog/ConfirmDialog.tsx'
import { Card } from '#portal/ui/page/Card.tsx'
import { ErrorState } from '#portal/ui/part/ErrorState.tsx'
import { SecretLine, SecretRow } from '#portal/ui/secret/SecretRow.tsx'
import { When } from '#portal/ui/time/When.tsx'
import { NewTokenForm } from './NewTokenForm.tsx'
import { RotateForm } from './RotateForm.tsx'
import { TokenShown } from './TokenShown.tsx'
import { useScopeName } from './useScopeName.ts'

/** The step of the dialog. */
type Open = { kind: 'new' } | { kind: 'rotate'; token: ApiToken } | { kind: 'shown'; token: string; name: string }

/** Tokens for integrations with the merchant's data. */
export function ApiTokens() {
  const { t } = useTranslation('settings')
  const { id: merchantId } = useMerchant()
  const [open, setOpen] = useState<Open>()
  const { data, error, refetch } = useQuery(queryOf(apiTokens.listApiTokens, { params: { merchantId } }))
  const close = () => setOpen(undefined)
  const show = (token: string, { name }: ApiToken) => setOpen({ kind: 'shown', token, name })
  return (
    <Card
      title={t('token.title')}
      note={t('token.note')}
      isFlush
      actions={
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={!data || data.length >= mostTokens}
          onClick={() => setOpen({ kind: 'new' })}
        >
          {t('token.new')}
        </Button>
      }
    >
      {error && !data && <ErrorState error={error} retry={refetch} isSmall />}
      {data?.length === 0 && (
        <Text py="part" px="md" c="dimmed">
          {t('token.none')}
        </Text>
      )}
      {data?.map((token) => (
        <Row key={token.id} token={token} rotate={() => setOpen({ kind: 'rotate', token })} />
      ))}
      <Modal
        opened={open !== undefined}
        onClose={close}
        size="lg"
        title={open && t(`token.dialog.${open.kind}`, { name: nameIn(open) })}
        // A token is shown once, so a click outside does not close it.
        closeOnClickOutside={open?.kind !== 'shown'}
        withCloseButton={false}
      >
        {open?.kind === 'new' && <NewTokenForm done={show} cancel={close} />}
        {open?.kind === 'rotate' && <RotateForm token={open.token} done={show} cancel={close} />}
        {open?.kind === 'shown' && <TokenShown token={open.token} close={close} />}
      </Modal>
    </Card>
  )
}

const nameIn = (open: Open) => (open.kind === 'rotate' ? open.token.name : open.kind === 'shown' ? open.name : '')

function Row({ token, rotate }: { token: ApiToken; rotate: () => void }) {
  const { t } = useTranslation('settings')
  const { id: merchantId } = useMerchant()
  const { ask, dialog } = useConfirm()
  const revoke = useCommand(apiTokens.revokeApiToken, { says: 'settings:token.revoked' })
  const scopeName = useScopeName()
  const { name, hint, permissions, scopes, expiresAt, previousUntil } = token
  const title = (
    <span>
      <Text span fw={600} className="breaks">
        {name}
      </Text>
      <Text span ml="near" c="dimmed" ff="monospace" fz="fine" fw={400}>
        {hint}…
      </Text>
    </span>
  )
  const opens = scopes
    ? t('token.may', { what: scopes.map(scopeName).join(', ') })
    : t('token.reads', { what: permissions.map((one) => t(`permission.${one}`)).join(', ') })
  const end = expiresAt && (
    <>
      {' · '}
      {t('token.expires')} <When at={expiresAt} as="exact" />
    </>
  )
  const notes = previousUntil && (
    <SecretLine>
      {t('token.previous')} <When at={previousUntil} as="exact" />
    </SecretLine>
  )
  const word = (key: 'made' | 'used' | 'from' | 'unused', values: Record<string, string>) => t(`token.${key}`, values)
  return (
    <SecretRow title={title} opens={opens} use={token} word={word} more={end} notes={notes}>
      <Flex gap="near">
        <Button variant="default" size="xs" onClick={rotate} aria-label={t('token.rotateNamed', { name })}>
          {t('token.rotate')}
        </Button>
        <Button
          variant="default"
          size="xs"
          color="crit"
          aria-label={t('token.revokeNamed', { name })}
          onClick={() =>
            ask({
              title: t('token.revokeAsk', { name }),
              consequence: t('token.revokeConsequence'),
              confirm: t('token.revokeDo'),
              dismiss: { how: 'keep' },
              isDanger: true,
              act: () => revoke.mutateAsync({ params: { merchantId, tokenId: token.id } }),
            })
          }
        >
          {t('token.revoke')}
        </Button>
      </Flex>
      {dialog}
    </SecretRow>
  )
}
