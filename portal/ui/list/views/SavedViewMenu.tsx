import { ActionIcon, Menu } from '@mantine/core'
import { IconDeviceFloppy, IconDots, IconPencil, IconTrash, IconUser, IconUsers } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { roleMay } from '#contract/access.ts'
import { type SavedView, savedViews, type ViewChange } from '#contract/platform/saved-view.ts'
import { allMerchants } from '#contract/vocabulary/merchant.ts'
import { useCommand } from '#portal/app/api.ts'
import { useMerchant, useMerchants } from '#portal/app/merchant.tsx'
import { useSession } from '#portal/app/session/useSession.ts'
import { toast } from '#portal/app/toast/toast.tsx'
import { useConfirm } from '#portal/ui/dialog/ConfirmDialog.tsx'
import { useUpdateView } from './useUpdateView.ts'
import ViewDialog from './ViewDialog.tsx'
import { type Look, viewOf } from './viewState.ts'

interface Props {
  view: SavedView
  look: Look
  /** The view stays open after its change. */
  hold: () => void
  /** The view was deleted. */
  forget: () => void
}

/** Changes, shares, deletes and restores a saved view. */
function useViewActs({ view, hold, forget }: Pick<Props, 'view' | 'hold' | 'forget'>) {
  const { t } = useTranslation('list')
  const merchant = useMerchant()
  const merchants = useMerchants()
  const { ask, dialog } = useConfirm()
  const update = useUpdateView()
  const remove = useCommand(savedViews.deleteView)
  const create = useCommand(savedViews.createView, { isQuiet: true })
  const { id, version, name, isShared, isMine, filter, sortOptions, headers } = view
  const params = { merchantId: merchant.id, viewId: id }
  const change = (part: Partial<ViewChange>, says: string) => {
    hold()
    const body = { version, name, isShared, filter, sortOptions, headers, ...part }
    update.change({ params, body }, () => toast.success(says, { name }))
  }
  const share = () =>
    view.merchantId === allMerchants
      ? toast.error('errors:MerchantNotSelected')
      : change({ isShared: true }, 'list:view.nowShared')
  const restore = () => {
    const body = { tableId: view.tableId, name, isShared, filter, sortOptions, headers }
    return create.mutateAsync({ params: { merchantId: view.merchantId }, body })
  }
  const deleteIt = async () => {
    await remove.mutateAsync({ params })
    const undo = isMine ? { act: restore, says: 'list:delete.undone', values: { name } } : undefined
    toast.success('list:delete.done', { name }, { undo })
    forget()
  }
  // The user's own view can be restored; a colleague's would be restored as the user's own.
  const askToDelete = () =>
    isMine
      ? void deleteIt().catch(() => undefined)
      : ask({
          title: t('delete.title', { name }),
          consequence: t('delete.shared', {
            merchant: merchants.find((one) => one.id === view.merchantId)?.name ?? merchant.name,
          }),
          confirm: t('delete.confirm'),
          dismiss: { how: 'keep' },
          isDanger: true,
          act: deleteIt,
        })
  return { change, share, askToDelete, dialog }
}

/** The actions of a saved view; hidden from users without the right to any. */
export default function SavedViewMenu({ view, look, hold, forget }: Props) {
  const { t } = useTranslation(['list', 'ui'])
  const { me } = useSession()
  const [isRenaming, setRenaming] = useState(false)
  const { change, share, askToDelete, dialog } = useViewActs({ view, hold, forget })
  const { name, isShared, isMine, headers } = view
  if (!isMine && !(me && roleMay(me.role, 'view.manage'))) return null

  const rename = () => {
    hold()
    setRenaming(true)
  }
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon
            flex="none"
            w={26}
            ml={3}
            variant="subtle"
            color="gray"
            size={26}
            aria-label={t('list:view.menu', { name })}
          >
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconDeviceFloppy size={15} aria-hidden />}
            onClick={() => change(viewOf(look, headers !== null), 'list:view.overwritten')}
          >
            {t('list:view.overwrite')}
          </Menu.Item>
          <Menu.Item leftSection={<IconPencil size={15} aria-hidden />} onClick={rename}>
            {t('list:view.rename')}
          </Menu.Item>
          {!isShared && (
            <Menu.Item leftSection={<IconUsers size={15} aria-hidden />} onClick={share}>
              {t('list:view.share')}
            </Menu.Item>
          )}
          {isShared && isMine && (
            <Menu.Item
              leftSection={<IconUser size={15} aria-hidden />}
              onClick={() => change({ isShared: false }, 'list:view.nowPrivate')}
            >
              {t('list:view.unshare')}
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item color="crit" leftSection={<IconTrash size={15} aria-hidden />} onClick={askToDelete}>
            {t('list:delete.do')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isRenaming && <ViewDialog tableId={view.tableId} view={view} look={look} close={() => setRenaming(false)} />}
      {dialog}
    </>
  )
}
