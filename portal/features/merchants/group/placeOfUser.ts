/** Where a user is edited, groups included. */
export const placeOfUser = ({ id }: { id: string }) => ({ to: '/manage/users/$userId', params: { userId: id } })
