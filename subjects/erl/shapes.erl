%% Tuples, guards and arithmetic: a circle of radius 7 divides by zero, a flat rectangle has no clause.
%@ args: area/1
%@ failure: uncaught-exception
%@ complete: yes
-module(shapes).
-export([area/1]).

-spec area({circle, integer()} | {rect, integer(), integer()}) -> number().
area({circle, R}) -> R * R div (R - 7);
area({rect, W, H}) when W > 0, H > 0 -> W * H.
