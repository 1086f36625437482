%% A precondition keeps inputs that make no sense away, a postcondition says what must come out: for a window of one, it is too long.
%@ args: window/2 --pre sensible --post fits
%@ failure: assertion
%@ complete: yes
-module(bounded).
-export([window/2, sensible/2, fits/3]).

-spec window(integer(), integer()) -> {integer(), integer()}.
window(From, 1) -> {From, From + 1};
window(From, Size) -> {From, From + Size - 1}.

sensible(From, Size) -> From >= 0 andalso Size > 0 andalso Size < 100.

fits(_, Size, {From, To}) -> To - From + 1 =:= Size.
